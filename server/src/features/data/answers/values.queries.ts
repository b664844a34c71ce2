// How an answer is compared and sorted, as SQL. Indexes are made of the same expressions: the planner takes one only where the
// question has it word for word.
import { type Sql, sql } from '../../../platform/db/index.js'

/** What an index is made of: the answer as a text, a number, a day or a moment; parts of a text. None that an answer could be too
 * long for, since it could not be received then: there is none of words, which may have any length. */
export const indexKinds = ['text', 'number', 'date', 'moment', 'part'] as const
export type IndexKind = (typeof indexKinds)[number]

/** Of a text, so many characters are compared: an entry of an index holds 2,700 bytes, and a character takes up to four. */
export const comparedCharacters = 500

/** A shorter text compares with the whole of an answer as it does with so much of it: it differs before, or ends before. The
 * length is one of UTF-16, which is never less than that in characters. */
export const isShort = (text: string): boolean => text.length < comparedCharacters

export const answerAt = (key: string): Sql => sql`(submissions.answers ->> ${key}::text)`

export const textValue = (answer: Sql): Sql => sql`left(${answer}, 500) collate "C"`
export const numberValue = (answer: Sql): Sql => sql`number_of(${answer})`
export const dayValue = (answer: Sql): Sql => sql`day_of(${answer}) collate "C"`
export const momentValue = (answer: Sql): Sql => sql`moment_of(${answer})`
export const foldedValue = (answer: Sql): Sql => sql`lower(${answer})`

/** What stands for itself in a pattern of `like`. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
