// Settings are read once from the environment, checked all together, and frozen. A room declares its own group and
// asks for it with `config.of(group)`; nothing else reads the environment.
import { type Setting, SettingFault } from './setting.js'

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

export interface SettingsGroup<S extends Settings = Settings> {
  readonly title: string
  readonly settings: S
}

export const defineSettings = <S extends Settings>(title: string, settings: S): SettingsGroup<S> => ({
  title,
  settings,
})

/** A setting as people are shown it. */
export interface SettingInForce {
  readonly group: string
  readonly name: string
  /** Blank where it is a secret, or unset and without a default. */
  readonly value: string
  readonly isSet: boolean
  readonly isSecret: boolean
}

export interface Config {
  of<S extends Settings>(group: SettingsGroup<S>): Values<S>
  /** All of them, secrets left out. */
  readonly inForce: readonly SettingInForce[]
  /** What each is set to, secrets too, as `hash` makes of it: to be compared, never shown. */
  hashed(hash: (text: string) => string): Readonly<Record<string, string>>
}

/** Every fault of the environment at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${bullets(faults)}`)
    this.faults = faults
  }
}

const bullets = (lines: readonly string[]) => lines.map((line) => `  - ${line}`).join('\n')

export type Environment = Readonly<Record<string, string | undefined>>

/** The one place that reads the environment. */
export const environment: Environment = process.env

export const loadConfig = (groups: readonly SettingsGroup[], env: Environment): Config => {
  const faults: string[] = []
  const valuesOf = new Map(
    groups.map((group) => {
      const entries = Object.entries(group.settings).map(([key, setting]) => [key, read(setting, env, faults)])
      return [group, Object.freeze(Object.fromEntries(entries))]
    }),
  )
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    inForce: settingsInForce(groups, env),
    hashed: (hash) =>
      Object.fromEntries(
        groups.flatMap(({ settings }) =>
          Object.values(settings).map(({ name, shownFallback }) => [name, hash(env[name]?.trim() || shownFallback)]),
        ),
      ),
    of: <S extends Settings>(group: SettingsGroup<S>) => {
      const values = valuesOf.get(group as unknown as SettingsGroup)
      if (values === undefined) throw new Error(`The settings group "${group.title}" is not listed in settings.ts`)
      return values as Values<S>
    },
  }
}

export const settingsInForce = (groups: readonly SettingsGroup[], env: Environment): SettingInForce[] =>
  groups.flatMap(({ title, settings }) =>
    Object.values(settings).map(({ name, shownFallback, isSecret }) => {
      const given = env[name]?.trim() ?? ''
      const isSet = given !== ''
      return { group: title, name, value: isSet ? (isSecret ? '' : given) : shownFallback, isSet, isSecret }
    }),
  )

const read = (setting: Setting<unknown>, env: Environment, faults: string[]): unknown => {
  const text = env[setting.name]?.trim()
  if (text === undefined) return setting.fallback
  if (text === '') return setting.empty
  try {
    return setting.parse(text)
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error
    const given = setting.isSecret ? '(hidden)' : JSON.stringify(text.slice(0, 100))
    faults.push(`${setting.name} ${error.message}; it is ${given}.`)
    return setting.fallback
  }
}
