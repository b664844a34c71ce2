// sheaf verify: compares, tells, changes nothing but the note that it ran. It ends with 1 when something differs.
import { recordUpkeep } from '../features/operations/index.js'
import { type Verification, verify } from '../features/verification/index.js'
import { migrationsFolder } from '../paths.js'
import { fitOfDatabase } from '../platform/db/index.js'
import type { Deps } from '../platform/deps.js'
import { CommandError, print, withDeps } from './command.js'

interface VerifyOptions {
  files?: boolean
  json?: boolean
}

const number = (value: number): string => value.toLocaleString('en')

const placeOf = ({ form, record }: { form?: number; record?: number }): string =>
  [form === undefined ? [] : `form ${form}`, record === undefined ? [] : `record ${record}`].flat().join(', ')

/** What was compared, and what differs. */
export const verificationText = (
  { forms, records, versions, files, differences }: Verification,
  seconds: number,
): string => {
  const compared = `Compared ${number(forms)} forms, ${number(records)} records, ${number(versions)} former versions and ${number(files)} files in ${seconds.toFixed(1)} s.\n`
  if (differences.length === 0) return `${compared}Everything agrees.\n`
  const kinds = differences.map(({ says, mend, count, examples }) => {
    const lines = examples.map((one) => `    ${[placeOf(one), one.what].filter((text) => text !== '').join(': ')}\n`)
    const more = count > examples.length ? `    … and ${number(count - examples.length)} more\n` : ''
    return `\n  ${number(count).padStart(7)}  ${says}\n${lines.join('')}${more}    Would mend it: ${mend}.\n`
  })
  return `${compared}\nWhat differs:\n${kinds.join('')}\nNothing was changed.\n`
}

/** For operators, on the page of the server. A database that may only be read is compared all the same. */
const remember = async ({ db, clock }: Deps, { records, files, differences }: Verification): Promise<void> => {
  const outcome = { records, files, differences: differences.reduce((sum, { count }) => sum + count, 0) }
  await recordUpkeep(db, 'verify', outcome, clock.now()).catch((error: Error) => {
    process.stderr.write(`That it ran could not be written down: ${error.message}\n`)
  })
}

export const verifyCommand = ({ files, json }: VerifyOptions): Promise<void> =>
  withDeps(async (deps) => {
    // It changes nothing, not even this.
    if ((await fitOfDatabase(deps.db.pool, migrationsFolder)) !== 'fits') {
      throw new CommandError('The database is not of this version: run `sheaf migrate`, then verify.')
    }
    const begun = performance.now()
    const isWatched = process.stderr.isTTY === true
    const result = await verify(
      { ...deps, db: deps.db.background },
      {
        readsFiles: files === true,
        ...(isWatched && {
          onProgress: (done: number, total: number) => process.stderr.write(`\r${done} of ${total} parts compared`),
        }),
      },
    )
    if (isWatched) process.stderr.write('\r\x1b[K')
    await remember(deps, result)
    print(
      json ? `${JSON.stringify(result, undefined, 2)}\n` : verificationText(result, (performance.now() - begun) / 1000),
    )
    if (result.differences.length > 0) process.exitCode = 1
  })
