// The acceptance suite on a server that runs: what it was restored from must not show.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '@sheaf/harness'
import { type Environment, ServerProcess } from './server.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The suite calls all that it wants from one address: what protects accounts from one address must not refuse it. */
const settings: Environment = {
  ROLES: 'web,jobs',
  MAX_LOGIN_FAILURES_PER_ADDRESS: '100000',
  CREDENTIAL_REQUESTS_PER_ADDRESS: '100000',
}

/** Files of the suite that are about a setting get a server with it; with it, others count more mails than they expect. */
const special = ['temporary-token', 'verification'].map((name) => `server/test/acceptance/${name}.test.ts`)
const lifetimeSeconds = '5'

interface Round {
  readonly files: readonly string[]
  readonly settings: Environment
  /** What the suite is told of them. */
  readonly told: Environment
}

const rounds: readonly Round[] = [
  {
    files: ['server/test/acceptance', ...special.map((file) => `--exclude=**/${file.replace(/^.*\//, '')}`)],
    settings: {},
    told: {},
  },
  {
    files: special,
    settings: { ENABLE_EMAIL_VERIFICATION: 'true', DEFAULT_TEMP_TOKEN_EXPIRY_TIME: lifetimeSeconds },
    told: { ACCEPTANCE_TEMP_TOKEN_SECONDS: lifetimeSeconds },
  },
]

interface Outcome {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    /** Why none of its tests ran. */
    readonly message: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export interface Accepted {
  readonly passed: number
  readonly total: number
  readonly failed: readonly string[]
}

const failuresIn = ({ testResults }: Outcome): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
    return failed.length === 0 && status === 'failed' ? [`${name}: ${message.slice(0, 200)}`] : failed
  })

const run = async (round: Round, env: Environment, file: string): Promise<Accepted> => {
  const server = await new ServerProcess({ ...env, ...settings, ...round.settings }).ready()
  try {
    const args = ['run', '--project', 'server', ...round.files, '--reporter=json', `--outputFile=${file}`]
    const suite = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: root,
      env: environment({
        ACCEPTANCE_URL: await server.address,
        ACCEPTANCE_OUTBOX: join(env.DATA_DIR ?? '', 'outbox'),
        ...round.told,
      }),
      stdio: 'ignore',
    })
    const [code] = await once(suite, 'close')
    const outcome = JSON.parse(readFileSync(file, 'utf8')) as Outcome
    const failed = failuresIn(outcome)
    if (code !== 0 && failed.length === 0) failed.push(`the suite ended with ${code}`)
    return { passed: outcome.numPassedTests, total: outcome.numTotalTests, failed: [...failed, ...server.errors] }
  } finally {
    await server.end('SIGTERM')
  }
}

/** `folder` gets the outcomes, as files. */
export const acceptanceOf = async (env: Environment, folder: string): Promise<Accepted> => {
  const all: Accepted[] = []
  for (const [number, round] of rounds.entries()) {
    all.push(await run(round, env, join(folder, `acceptance-${number}.json`)))
  }
  const sum = (of: (one: Accepted) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    passed: sum(({ passed }) => passed),
    total: sum(({ total }) => total),
    failed: all.flatMap(({ failed }) => failed),
  }
}
