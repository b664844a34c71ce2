// What every representation of a list is given, and the records of a slice one after the other.
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Database, Sql } from '../../../platform/db/index.js'
import { copyLines, linesOf, textOf } from '../reading/index.js'
import { keysWithin, type ListRequest, type Slice } from '../selection/index.js'

export interface Rendering {
  readonly db: Database
  readonly reply: FastifyReply
  readonly list: ListRequest
  readonly slice: Slice
  readonly query: Readonly<Record<string, string | undefined>>
  readonly now: Date
}

export type Renderer = (rendering: Rendering) => Promise<unknown>

export type DataRecord = Readonly<Record<string, unknown>>

const largeRecord = 200_000

/** Parsing a large one takes as long as writing it: others have a turn in between. */
export const parsed = async (line: string): Promise<DataRecord> => {
  const record = JSON.parse(line) as DataRecord
  for (let turn = 0; line.length > largeRecord && turn < 2; turn++) await setImmediate()
  return record
}

/** JSON of a record: whole, or what `keys` names of it. */
export const readText = ({ seen, shape, columns }: ListRequest, keys?: readonly string[]): Sql =>
  textOf(seen.form, columns === undefined ? keys : keysWithin(shape, columns))

/** Records one after the other. */
export async function* recordsOf(db: Database, list: ListRequest, slice: Slice): AsyncGenerator<DataRecord> {
  for await (const line of linesOf(await copyLines(db, slice, readText(list)))) {
    yield await parsed(line)
  }
}
