// The kinds of settings. Each knows how to read its text and says in words what it wants instead.
import { isIP } from 'node:net'
import { booleanOf, isWebAddress } from '../words/index.js'

export class SettingFault extends Error {}

export interface Setting<T> {
  /** The environment variable. */
  readonly name: string
  readonly doc: string
  /** What the documentation prints as the type, e.g. `integer 1…65535`. */
  readonly kind: string
  readonly fallback: T
  /** What the documentation prints as the default; empty when there is none. */
  readonly shownFallback: string
  readonly isSecret: boolean
  /** What an empty variable means; the default unless the setting can be cleared. */
  readonly empty: T
  /** Throws SettingFault with what is wanted. */
  parse(text: string): T
}

interface Options<T> {
  doc: string
  default: T
  isSecret?: boolean
  shownDefault?: string
}

const setting = <T>(name: string, kind: string, options: Options<T>, parse: (text: string) => T): Setting<T> => ({
  name,
  doc: options.doc,
  kind,
  fallback: options.default,
  shownFallback: options.shownDefault ?? shown(options.default),
  isSecret: options.isSecret ?? false,
  empty: options.default,
  parse,
})

const shown = (value: unknown): string => {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const text = (name: string, options: Options<string> & { maxLength?: number }) =>
  setting(name, 'text', options, (value) => atMost(value, options.maxLength ?? 1000))

/** A text that may be absent. */
export const optionalText = (name: string, options: Omit<Options<undefined>, 'default'>) =>
  setting<string | undefined>(name, 'text', { ...options, default: undefined }, (value) => atMost(value, 4000))

/** A text that may be absent and has a form of its own; `check` throws what is wrong with it. */
export const optionalFormat = (
  name: string,
  kind: string,
  options: Omit<Options<undefined>, 'default'> & { check: (value: string) => unknown },
) =>
  setting<string | undefined>(name, kind, { ...options, default: undefined }, (value) => checked(value, options.check))

/** A text with a default and a form of its own. */
export const format = (name: string, kind: string, options: Options<string> & { check: (value: string) => unknown }) =>
  setting(name, kind, options, (value) => checked(value, options.check))

const checked = (value: string, check: (value: string) => unknown): string => {
  try {
    check(value)
  } catch (error) {
    throw new SettingFault(`is not right: ${(error as Error).message}`)
  }
  return value
}

/** A text with a default that an empty variable clears. */
export const clearableText = (name: string, options: Options<string>): Setting<string | undefined> => ({
  ...setting<string | undefined>(name, 'text; empty clears it', options, (value) => atMost(value, 1000)),
  empty: undefined,
})

const atMost = (value: string, maxLength: number) => {
  if (value.length > maxLength) throw new SettingFault(`must have at most ${maxLength} characters`)
  return value
}

export const integer = (name: string, options: Options<number> & { min: number; max: number }) =>
  setting(name, `integer ${options.min}…${options.max}`, options, (value) => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || number < options.min || number > options.max) {
      throw new SettingFault(`must be a whole number from ${options.min} to ${options.max}`)
    }
    return number
  })

/** A whole number that may be absent. */
export const optionalInteger = (
  name: string,
  options: Omit<Options<undefined>, 'default'> & { min: number; max: number },
) => {
  const { parse, kind } = integer(name, { ...options, default: options.min })
  return setting<number | undefined>(name, kind, { ...options, default: undefined }, parse)
}

export const boolean = (name: string, options: Options<boolean>) =>
  setting(name, 'true or false', options, (value) => {
    const isTrue = booleanOf(value)
    if (isTrue === undefined) throw new SettingFault('must be true or false')
    return isTrue
  })

export const choice = <const C extends string>(name: string, choices: readonly C[], options: Options<C>) =>
  setting<C>(name, choices.join(' · '), options, (value) => {
    const found = choices.find((one) => one === value)
    if (found === undefined) throw new SettingFault(`must be one of ${choices.join(', ')}`)
    return found
  })

/** Comma-separated host names, compared in lower case. */
export const hosts = (name: string, options: Options<readonly string[]>) =>
  setting<readonly string[]>(name, 'comma-separated hosts', options, (value) => splitList(value.toLowerCase()))

/** Comma-separated words. */
export const list = (name: string, options: Options<readonly string[]>) =>
  setting<readonly string[]>(name, 'comma-separated list', options, splitList)

const splitList = (value: string) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Comma-separated words, each out of a fixed set. */
export const choices = <const C extends string>(name: string, known: readonly C[], options: Options<readonly C[]>) =>
  setting<readonly C[]>(name, `some of ${known.join(', ')}`, options, (value) => {
    const words = splitList(value)
    const found = known.filter((word) => words.includes(word))
    if (found.length !== new Set(words).size || found.length === 0) {
      throw new SettingFault(`must be a comma-separated list out of ${known.join(', ')}`)
    }
    return found
  })

const networkNames = ['loopback', 'linklocal', 'uniquelocal']

/** Comma-separated addresses and networks, e.g. `127.0.0.1, 10.0.0.0/8, loopback`. */
export const networks = (name: string, options: Options<readonly string[]>) =>
  setting<readonly string[]>(name, 'addresses or networks', options, (value) => {
    const words = splitList(value)
    const wrong = words.find((word) => !networkNames.includes(word) && !isNetwork(word))
    if (wrong !== undefined) throw new SettingFault(`must be a list of addresses and networks; ${wrong} is neither`)
    return words
  })

const isNetwork = (word: string): boolean => {
  const [address = '', bits, ...more] = word.split('/')
  const version = isIP(address)
  const mostBits = version === 4 ? 32 : 128
  return version !== 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= mostBits))
}

/** In steps: a pattern for it would look through every run of slashes again from each of them. */
const withoutSlashes = (address: string): string => {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
}

export const optionalWebAddress = (name: string, options: Omit<Options<undefined>, 'default'>) =>
  setting<string | undefined>(name, 'http(s) address', { ...options, default: undefined }, (value) => {
    if (!isWebAddress(value)) throw new SettingFault('must be an absolute http or https address')
    return withoutSlashes(value)
  })

/** Either one address for every host, or a JSON object of host to address in which `*` stands for the rest. */
export const addressByHost = (name: string, options: Omit<Options<undefined>, 'default'>) =>
  setting<ReadonlyMap<string, string>>(
    name,
    'http(s) address, or JSON object of host → address (`*` for any)',
    { ...options, default: new Map(), shownDefault: '' },
    (value) => {
      const entries: [string, unknown][] = value.startsWith('{') ? Object.entries(parseJson(value)) : [['*', value]]
      return new Map(
        entries.map(([host, address]) => {
          if (typeof address === 'string' && isWebAddress(address)) return [host.toLowerCase(), address]
          throw new SettingFault(`must give an absolute http or https address for ${host}`)
        }),
      )
    },
  )

const parseJson = (value: string): object => {
  try {
    return JSON.parse(value)
  } catch {
    throw new SettingFault('must be JSON: it starts with { but cannot be read')
  }
}
