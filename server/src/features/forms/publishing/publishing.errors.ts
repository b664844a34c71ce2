import { cutTo } from '@sheaf/xlsform/text'
import { AppError } from '../../../platform/http/index.js'
import { formRefused } from '../compiling/index.js'

export const otherId = (given: string, present: string) =>
  formRefused(`Your updated form's id_string '${given}' must match the existing forms' id_string '${present}'.`)

export const encryptedForm = () =>
  new AppError({
    code: 'form.encrypted',
    status: 400,
    message: 'This form is encrypted and cannot be replaced.',
    body: { message: 'This form is encrypted and cannot be replaced.' },
  })

export const unpublishedForm = () =>
  new AppError({
    code: 'form.unpublished',
    status: 409,
    message: 'This form has not been published. Replace its draft, or publish it.',
  })

export const encryptsRecords = () =>
  formRefused('Cannot encrypt a form that has submissions. Take public_key out of the settings, or publish a new form.')

/** A word to whoever publishes, perhaps the same file a second time. It names no form that they may not see. */
export const idWasTaken = (wanted: string, made: string): string =>
  `The account has a form with the id "${wanted}" already, so this is a new form with the id "${made}". To make it the next version of the other one instead, delete this one and send the file to the other with PATCH /api/v1/forms/{formid}.`

/** Of a form that is pushed: a version text names one definition, by which records are read. */
export const otherDefinition = (version: string) =>
  new AppError({
    code: 'form.other_definition',
    status: 409,
    message: `The form has another definition of the version ${JSON.stringify(cutTo(version, 100))}. Give this one another version.`,
  })
