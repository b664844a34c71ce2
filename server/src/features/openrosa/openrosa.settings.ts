import { budgets } from '../../budgets.js'
import { defineSettings, setting } from '../../platform/config/index.js'

export const openRosaSettings = defineSettings('Receiving', {
  largestPost: setting.integer('LARGEST_POST', {
    default: 100_000_000,
    min: budgets.bodies.submissionBytes,
    max: 2_000_000_000,
    doc: 'Largest post of a submission with its files, in bytes. Devices split what they have into posts of 10 MB, but send a single file in one, however large: a film that is larger can never arrive. A proxy in front needs the same limit (`client_max_body_size` of nginx is 1 MB unless it is set).',
  }),
})
