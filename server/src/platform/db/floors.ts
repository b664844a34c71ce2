// Which programs fit a database. A migration says in its first line what it does to programs that do not know it:
//
//   -- expand            adds what they do not look at: they go on, beside newer ones
//   -- contract: 0041    takes away what programs that know 0041 do not use any more: older ones do not fit from then on
//
// One that says nothing is for programs that know it. The highest number that a program must know is the floor.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** What ran. */
export const ranTable = 'schema_migrations'
/** Its highest number is the floor. Programs of before there were floors take it for what ran, and refuse what is newer than they
 * are: with this they start beside a newer one, too, as long as they fit. */
const floorTable = 'schema_versions'

type Client = Pick<pg.ClientBase, 'query'>

interface Migration {
  readonly number: number
  readonly name: string
}

const migrationsIn = async (folder: string): Promise<Migration[]> =>
  (await readdir(folder)).flatMap((name) => {
    const number = /^(\d+)\.do\..*\.sql$/.exec(name)?.[1]
    return number === undefined ? [] : [{ number: Number(number), name }]
  })

/** The highest number among the files, e.g. 3 for `0003.do.teams.sql`. */
export const newestMigration = async (folder: string): Promise<number> =>
  Math.max(0, ...(await migrationsIn(folder)).map(({ number }) => number))

export type Declared = { readonly kind: 'expand' } | { readonly kind: 'contract'; readonly needs: number }

/** Undefined: it says nothing. */
export const declaredIn = (text: string): Declared | undefined => {
  const [, word, needs] = /^-- (expand$|contract: (\d{4})$)/.exec(text.split('\n', 1)[0] ?? '') ?? []
  if (word === undefined) return undefined
  return needs === undefined ? { kind: 'expand' } : { kind: 'contract', needs: Number(needs) }
}

const neededBy = async (folder: string, { number, name }: Migration): Promise<number> => {
  const declared = declaredIn(await readFile(join(folder, name), 'utf8'))
  if (declared === undefined) return number
  return declared.kind === 'expand' ? 0 : declared.needs
}

/** What programs must know once these migrations ran. */
const floorOf = async (folder: string, upTo: number): Promise<number> => {
  const ran = (await migrationsIn(folder)).filter(({ number }) => number <= upTo)
  return Math.max(0, ...(await Promise.all(ran.map((one) => neededBy(folder, one)))))
}

export interface SchemaState {
  /** The newest migration that ran; 0 for an empty database. */
  readonly version: number
  readonly floor: number
}

const highestIn = async (client: Client, table: string): Promise<number> => {
  const { rows } = await client.query(`select coalesce(max(version), 0) as version from ${table}`)
  return Number(rows[0]?.version)
}

export const schemaState = async (client: Client): Promise<SchemaState> => {
  const { rows } = await client.query(
    `select to_regclass('${ranTable}') is not null as ran, to_regclass('${floorTable}') is not null as floor`,
  )
  const there = rows[0] as { ran: boolean; floor: boolean }
  const floor = there.floor ? await highestIn(client, floorTable) : 0
  return { version: there.ran ? await highestIn(client, ranTable) : floor, floor }
}

/** The version the database is at; 0 for an empty one. */
export const currentVersion = async (client: Client): Promise<number> => (await schemaState(client)).version

/** `behind`: it is to be migrated. `beyond`: newer programs have taken away what this one needs. */
export type Fit = 'fits' | 'behind' | 'beyond'

const fitOf = ({ version, floor }: SchemaState, newest: number): Fit => {
  if (version < newest) return 'behind'
  return floor > newest ? 'beyond' : 'fits'
}

/** Whether a program with these migrations works on the database as it is. */
export const fitOfDatabase = async (client: Client, folder: string): Promise<Fit> =>
  fitOf(await schemaState(client), await newestMigration(folder))

/** A database of before there were floors: what ran is known, and is its floor. */
export const beginFloors = async (client: Client): Promise<void> => {
  const { rows } = await client.query(
    `select to_regclass('${ranTable}') is null and to_regclass('${floorTable}') is not null as wanted`,
  )
  if (rows[0]?.wanted !== true) return
  await client.query(`create table ${ranTable} (like ${floorTable} including all)`)
  await client.query(`insert into ${ranTable} select * from ${floorTable}`)
}

/** Up to which floor the migrations have brought it; never back. */
export const raiseFloor = async (client: Client, folder: string): Promise<void> => {
  await client.query(`create table if not exists ${floorTable} (like ${ranTable} including all)`)
  const floor = await floorOf(folder, await highestIn(client, ranTable))
  await client.query(
    `insert into ${floorTable} (version, name, run_at) select $1, 'floor', now()
     where $1 > (select coalesce(max(version), 0) from ${floorTable})`,
    [floor],
  )
}

/** The floor that a database would have afterwards. */
export const floorAfter = async (folder: string): Promise<number> => floorOf(folder, await newestMigration(folder))
