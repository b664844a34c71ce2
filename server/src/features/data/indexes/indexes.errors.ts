import { cutTo } from '@sheaf/xlsform/text'
import { AppError, invalid } from '../../../platform/http/index.js'

export const noQuestion = (key: string) =>
  invalid({
    question: [`${JSON.stringify(cutTo(key, 100))} is no question that a record of this form answers once.`],
  })

export const noKind = (kind: string, kinds: readonly string[]) =>
  invalid({ kind: [`"${cutTo(kind, 100)}" is none for this question. Choose one of ${kinds.join(', ')}.`] })

export const tooManyIndexes = (most: number) =>
  new AppError({
    code: 'indexes.full',
    status: 409,
    message: `There are ${most} indexes that somebody asked for, and more are not possible. Give up those that are not needed.`,
  })
