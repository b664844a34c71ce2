import { describe, expect, it } from 'vitest'
import {
  type ConfigError,
  configurationMarkdown,
  configurationText,
  defineSettings,
  loadConfig,
  setting,
} from './index.js'

const refuseMoon = (value: string) => {
  if (value === 'moon') throw new Error('not there')
}

const group = defineSettings('Test', {
  port: setting.integer('PORT', { default: 80, min: 1, max: 100, doc: 'A port.' }),
  host: setting.text('HOST', { default: 'h', doc: 'A host.' }),
  isOpen: setting.boolean('OPEN', { default: false, doc: 'Open?' }),
  level: setting.choice('LEVEL', ['low', 'high'], { default: 'low', doc: 'How.' }),
  roles: setting.choices('ROLES', ['web', 'jobs'], { default: ['web', 'jobs'], doc: 'What.' }),
  hosts: setting.list('HOSTS', { default: [], doc: 'Which | where.' }),
  key: setting.optionalText('KEY', { isSecret: true, doc: 'A secret.' }),
  mark: setting.clearableText('MARK', { default: 'X', doc: 'Clearable.' }),
  base: setting.optionalWebAddress('BASE', { doc: 'An address.' }),
  byHost: setting.addressByHost('BY_HOST', { doc: 'Addresses.' }),
  proxies: setting.networks('PROXIES', { default: [], doc: 'Who.' }),
  place: setting.optionalFormat('PLACE', 'a place', { check: refuseMoon, isSecret: true, doc: 'Where.' }),
  sender: setting.format('SENDER', 'a sender', { check: refuseMoon, default: 'earth', doc: 'From.' }),
  extra: setting.optionalInteger('EXTRA', { min: 0, max: 9, doc: 'Perhaps.' }),
})

const load = (env: Record<string, string>) => loadConfig([group], env).of(group)

const faultsOf = (env: Record<string, string>) => {
  try {
    load(env)
  } catch (error) {
    return (error as ConfigError).faults
  }
  return []
}

describe('loadConfig', () => {
  it('gives the defaults for an empty environment, frozen', () => {
    const values = load({})
    expect(values).toMatchObject({
      port: 80,
      host: 'h',
      isOpen: false,
      level: 'low',
      roles: ['web', 'jobs'],
      mark: 'X',
    })
    expect([values.key, values.base, values.extra]).toEqual([undefined, undefined, undefined])
    expect(Object.isFrozen(values)).toBe(true)
  })

  it('reads every kind, and blanks around values do not count', () => {
    const values = load({
      PORT: ' 8 ',
      OPEN: 'Yes',
      LEVEL: 'high',
      ROLES: 'jobs',
      HOSTS: 'a, b,,',
      BASE: 'https://x.org/',
      BY_HOST: '{"A.org": "https://a.org/v", "*": "http://b.org"}',
      EXTRA: '0',
    })
    expect(values).toMatchObject({
      port: 8,
      isOpen: true,
      level: 'high',
      roles: ['jobs'],
      hosts: ['a', 'b'],
      base: 'https://x.org',
      extra: 0,
    })
    expect([...values.byHost]).toEqual([
      ['a.org', 'https://a.org/v'],
      ['*', 'http://b.org'],
    ])
    expect([...load({ BY_HOST: 'https://c.org' }).byHost]).toEqual([['*', 'https://c.org']])
  })

  it('an empty variable is the default, and clears what can be cleared', () => {
    expect(load({ PORT: '', MARK: '' })).toMatchObject({ port: 80, mark: undefined })
  })

  it('tells all faults at once, with the name, what is wanted and what was given', () => {
    expect(
      faultsOf({
        PORT: '101',
        OPEN: 'perhaps',
        LEVEL: 'mid',
        ROLES: 'web,cooks',
        BASE: 'x.org',
        BY_HOST: '{"a": 1}',
        EXTRA: 'x',
      }),
    ).toEqual([
      'PORT must be a whole number from 1 to 100; it is "101".',
      'OPEN must be true or false; it is "perhaps".',
      'LEVEL must be one of low, high; it is "mid".',
      'ROLES must be a comma-separated list out of web, jobs; it is "web,cooks".',
      'BASE must be an absolute http or https address; it is "x.org".',
      'BY_HOST must give an absolute http or https address for a; it is "{\\"a\\": 1}".',
      'EXTRA must be a whole number from 0 to 9; it is "x".',
    ])
    expect(() => load({ PORT: 'x', OPEN: 'x' })).toThrow(/^The configuration has 2 faults:\n {2}- PORT .*\n {2}- OPEN /)
  })

  it('addresses, networks and texts with a form of their own are checked too', () => {
    expect(load({ PROXIES: '127.0.0.1, 10.0.0.0/8,::1,fc00::/7, loopback' }).proxies).toHaveLength(5)
    expect(load({ PLACE: 'sea', SENDER: 'sun' })).toMatchObject({ place: 'sea', sender: 'sun' })
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '1.2.3', '::/129']) {
      expect(faultsOf({ PROXIES: wrong })).toEqual([expect.stringContaining(`${wrong} is neither`)])
    }
    expect(faultsOf({ PLACE: 'moon', SENDER: 'moon' })).toEqual([
      'PLACE is not right: not there; it is (hidden).',
      'SENDER is not right: not there; it is "moon".',
    ])
  })

  it('never repeats a secret', () => {
    expect(faultsOf({ KEY: 's'.repeat(5000) })).toEqual(['KEY must have at most 4000 characters; it is (hidden).'])
    expect(configurationText([group], { KEY: 'hush', PORT: '9' })).toMatch(/KEY +\(hidden\) {2}← set/)
    expect(configurationText([group], { KEY: 'hush' })).not.toContain('hush')
  })

  it('a group that is not listed is a mistake of ours', () => {
    expect(() => loadConfig([], {}).of(group)).toThrow(/not listed/)
  })
})

describe('configurationMarkdown', () => {
  it('has a row for every setting, with bars escaped', () => {
    const page = configurationMarkdown([group])
    expect(page).toContain('| `PORT` | integer 1…100 | `80` | A port. |')
    expect(page).toContain('| `HOSTS` | comma-separated list |  | Which \\| where. |')
  })
})
