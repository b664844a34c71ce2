import { budgets } from '../../../budgets.js'
import { badRequest } from '../../../platform/http/index.js'

/** It would go on in an address, which clients and proxies do not take at any length. */
export const tooLongForAddress = () =>
  badRequest(
    `What comes back in an address is longer than ${budgets.signIn.addressCharacters} characters there. Send a shorter state.`,
  )
