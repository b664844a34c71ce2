import { badRequest, invalid } from '../../platform/http/index.js'
import type { Kind } from './kinds.js'

export const badFormParameter = () => badRequest('Invalid value for formid. It must be a positive integer.')

export const unknownForm = (id: number) => `Invalid pk "${id}" - object does not exist.`

export const formIsFixed = 'A service belongs to its form. Delete it and make a new one.'

export const tooManyServices = (most: number) =>
  invalid({ xform: [`A form has at most ${most} services. Delete one that is not needed any more.`] })

export const addressTaken = (kind: Kind) =>
  invalid({
    non_field_errors: [
      kind === 'flow_messaging'
        ? 'The service already created for this form.'
        : 'The fields service_url, xform, name must make a unique set.',
    ],
  })

export const beingSent = () =>
  badRequest('This delivery is being sent in this moment. Look again in a few seconds.', 'delivery.in_hand')

export const tooManyReplays = (most: number) =>
  badRequest(`${most} pushes of this rest service are under way. Wait until one has ended.`, 'rest_service.busy')

export const nothingToSend = () =>
  badRequest('This rest service has no service_url, so nothing is sent.', 'rest_service.no_address')
