// Backups while submissions arrive, and restores of them, killed at random moments. What was acknowledged before a backup began is in
// it; what was killed looks like nothing; what was restored is a server like any other.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { postmasterOf } from '@sheaf/harness'
import pg from 'pg'
import { acceptanceOf } from '../acceptance.js'
import { type Context, type Fault, pause } from '../fault.js'
import { beginSheaf, type Environment, ServerProcess } from '../server.js'

const backupsIn = (place: string): number => {
  try {
    return readdirSync(join(place, 'backups')).filter((name) => /^\d{8}T.*\.json$/.test(name)).length
  } catch {
    return 0
  }
}

const acknowledgedIds = ({ ledger }: Context): string[] => [...ledger.records.values()].flatMap(({ ids }) => ids)

const enough = 300
const mostSeconds = 60

/** So that there is something to lose. */
const someAcknowledged = async ({ ledger }: Context): Promise<void> => {
  const end = performance.now() + mostSeconds * 1000
  while (ledger.acknowledgements < enough && performance.now() < end) await pause(100)
}

/** Every instance id that a server knows. It forwards nothing from then on: the server that it is a copy of does. */
const idsIn = async (env: Environment): Promise<Set<string>> => {
  const server = await new ServerProcess(env).ready()
  const { socketFolder } = postmasterOf(env.DATA_DIR ?? '')
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'sheaf' })
  try {
    await client.connect()
    const { rows } = await client.query<{ uuid: string }>('select uuid from instance_ids')
    await client.query('update rest_services set is_active = false')
    return new Set(rows.map(({ uuid }) => uuid))
  } finally {
    await client.end()
    await server.end('SIGTERM')
  }
}

/** Each lives longer than the one before, until one comes to its end. Answers how many were killed. */
const killSome = async (
  { chance, say, find }: Context,
  most: number,
  [word = '', ...rest]: readonly string[],
  env: Environment,
): Promise<number> => {
  for (let kills = 0; ; kills++) {
    if (kills === most) return kills
    const command = beginSheaf([word, ...rest], env)
    const moment = pause(chance.between(200, 500 * 2 ** kills)).then(() => false)
    const isOver = await Promise.race([command.ended.then(() => true), moment])
    command.kill()
    const { code, output } = await command.ended
    if (isOver && code !== 0) find(`${word} ended with ${code}: ${output.slice(0, 300)}`)
    if (isOver) return kills
    say(`${word} killed ${kills + 1} times`)
  }
}

const mustEnd = async ({ find }: Context, args: readonly string[], env: Environment): Promise<boolean> => {
  const { code, output } = await beginSheaf(args, env).ended
  if (code !== 0) find(`sheaf ${args[0]} ended with ${code}: ${output.slice(0, 500)}`)
  return code === 0
}

export const killBackups: Fault = {
  name: 'backup',
  description:
    'backups while submissions arrive, and restores of them, killed at random moments; the acceptance suite on what was restored',
  weight: 120,
  run: async (context) => {
    const { place, scale, say, find } = context
    await place.start('own')
    await someAcknowledged(context)
    const folder = join(place.folder, 'backups')
    const kills = await killSome(context, Math.max(3, Math.round(8 * scale)), ['backup', folder], place.env)
    const whole = backupsIn(folder)
    say('a backup to its end')
    const before = acknowledgedIds(context)
    if (!(await mustEnd(context, ['backup', folder], place.env))) return 'the backup failed'
    if (backupsIn(folder) !== whole + 1) find(`${backupsIn(folder)} backups where ${whole + 1} should be`)
    const target: Environment = {
      ...place.env,
      DATA_DIR: join(place.folder, 'restored'),
      FILES_URL: join(place.folder, 'restored-files'),
      PORT: '0',
      ROLES: 'web',
    }
    const restore = ['restore', '--from', folder]
    const killedRestores = await killSome(context, Math.max(2, Math.round(6 * scale)), restore, target)
    say('a restore to its end')
    const again = await beginSheaf(restore, target).ended
    const isThere = again.output.includes('is not empty')
    if (again.code !== 0 && !isThere) find(`restore ended with ${again.code}: ${again.output.slice(0, 500)}`)
    await mustEnd(context, ['verify', '--files'], target)
    const restored = await idsIn(target)
    const lost = before.filter((id) => !restored.has(id))
    if (lost.length > 0) find(`${lost.length} submissions acknowledged before the backup are not in it: ${lost[0]}`)
    say('the acceptance suite on what was restored')
    const accepted = await acceptanceOf(target, place.folder)
    for (const test of accepted.failed) find(`on the restored server: ${test.slice(0, 300)}`)
    await mustEnd(context, ['verify', '--files'], target)
    return `${kills} backups and ${killedRestores} restores killed; ${before.length} acknowledged submissions restored from the last one, ${restored.size} in all; ${accepted.passed} of ${accepted.total} acceptance tests passed there`
  },
}
