// sheaf user create | password | activate | deactivate | operator
import { migrateAll } from '../database.js'
import {
  credentialSettings,
  hashPassword,
  maxPasswordLength,
  passwordLength,
  setActive,
  setPassword,
} from '../features/credentials/index.js'
import { registerFromTerminal } from '../features/profiles/index.js'
import { findBySignInName, updateOperator } from '../features/users/index.js'
import type { Deps } from '../platform/deps.js'
import { AppError } from '../platform/http/index.js'
import { CommandError, placeOf, print, requireDatabase, withDeps } from './command.js'
import { ask, isInteractive, readPassword } from './prompt.js'

interface CreateOptions {
  username?: string
  email?: string
  firstName?: string
  lastName?: string
  passwordStdin?: boolean
  operator?: boolean
  /** False with --no-password. */
  password: boolean
}

const given = async (value: string | undefined, question: string, option: string): Promise<string> => {
  if (value !== undefined) return value
  if (!isInteractive()) throw new CommandError(`There is no terminal to ask at: give ${option}.`)
  return ask(question)
}

export const createUserCommand = async (options: CreateOptions): Promise<void> => {
  await requireDatabase()
  const username = await given(options.username, 'Username: ', '--username')
  const email = await given(options.email, 'E-mail address: ', '--email')
  const password = options.password ? await readPassword(options.passwordStdin === true) : undefined
  await withDeps(async (deps) => {
    await migrateAll(deps.db, deps.log)
    const name = await inWords(
      registerFromTerminal(
        deps,
        {
          username,
          email,
          first_name: options.firstName ?? username.slice(0, 30),
          ...(options.lastName !== undefined && { last_name: options.lastName }),
          ...(password !== undefined && { password }),
        },
        options.operator === true,
      ),
    )
    const words = options.operator === true ? ', of an operator,' : ''
    print(`The account ${name}${words} was made in ${placeOf(deps)}.\n`)
  })
}

export const setPasswordCommand = async (name: string, options: { passwordStdin?: boolean }): Promise<void> => {
  await requireDatabase()
  const password = await readPassword(options.passwordStdin === true)
  await withDeps(async (deps) => {
    const user = await personNamed(deps, name)
    checkLength(deps, password)
    const hash = await hashPassword(deps.passwordCost, password)
    await deps.db.transaction((tx) => setPassword(tx, deps, user.id, hash))
    print(`The password of ${user.username} was set. Every token that was in use has ended.\n`)
  })
}

export const setActiveCommand = (name: string, isActive: boolean): Promise<void> =>
  withDeps(async (deps) => {
    const user = await personNamed(deps, name)
    await deps.db.transaction((tx) => setActive(tx, user.id, isActive))
    print(`The account ${user.username} ${isActive ? 'may sign in' : 'is hidden and cannot sign in'}.\n`)
  })

export const setOperatorCommand = (name: string, { remove = false }: { remove?: boolean }): Promise<void> =>
  withDeps(async (deps) => {
    const user = await personNamed(deps, name)
    await updateOperator(deps.db, user.id, !remove)
    print(
      remove
        ? `${user.username} is no operator any more.\n`
        : `${user.username} is an operator: they see how the server does on the page /server, and no data of others.\n`,
    )
  })

const personNamed = async ({ db, log }: Deps, name: string) => {
  await migrateAll(db, log)
  const user = await findBySignInName(db, name)
  if (user === undefined) throw new CommandError(`There is no account with the name ${name}.`)
  return user
}

const checkLength = ({ config }: Deps, password: string): void => {
  const { minPasswordLength } = config.of(credentialSettings)
  const length = passwordLength(password)
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new CommandError(`A password has ${minPasswordLength} to ${maxPasswordLength} characters.`)
  }
}

/** The same faults that the API would answer, a line each. */
const inWords = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error
    const lines = Object.entries(error.fields).map(([field, messages]) => `  ${field}: ${[messages].flat().join(' ')}`)
    throw new CommandError(`The account was not made:\n${lines.join('\n')}`)
  }
}
