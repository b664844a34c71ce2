import { cutTo } from '@sheaf/xlsform/text'
import { AppError, invalid } from '../../platform/http/index.js'

/** Clients of this API family expect a bare list here. */
export const alreadyThere = () =>
  new AppError({
    code: 'metadata.exists',
    status: 400,
    message: 'Object already exists',
    body: ['Object already exists'],
  })

export const nothingNamed = () => invalid({ missing_field: ['`xform` or `project` or `instance` field is required.'] })

export const notRestriction = () =>
  invalid({
    non_field_errors: [
      "Format must be: 'editor role' | 'dataentry role' | 'readonly role', or an invalid role was provided.",
    ],
  })

/** The first message is the one that clients know; the second says why. */
export const refusedWords = (name: string, reason: string): string[] => [
  `The uploaded file '${cutTo(name, 100)}' could not be validated.`,
  reason,
]

export const fileRefused = (name: string, reason: string) => invalid({ data_file: refusedWords(name, reason) })
