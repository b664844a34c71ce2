import { budgets } from '../../../budgets.js'
import { badRequest } from '../../../platform/http/index.js'

/** It would go on in an address, which clients and proxies do not take at any length. */
export const fieldsTooLong = () =>
  badRequest(
    `The fields are longer than ${budgets.signIn.formCharacters} characters together, as an address has them. Send a shorter state.`,
  )
