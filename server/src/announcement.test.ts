import { describe, expect, it } from 'vitest'
import { announcement, type Installation, nodeAdvice, phoneAdvice, settingWarnings } from './announcement.js'
import { loadConfig } from './platform/config/index.js'
import { replicaAddresses } from './platform/settings.js'
import { allSettings } from './settings.js'

const place = (more: Partial<Installation> = {}): Installation => ({
  host: '127.0.0.1',
  port: 8080,
  baseUrl: undefined,
  trustProxy: [],
  hasDatabaseUrl: false,
  hasReplicas: false,
  hasSecretKey: false,
  hasSmtp: false,
  dataFolder: '/srv/sheaf/data',
  ...more,
})

const found = { database: 'its own', accounts: 0, isEmpty: true, hasOperator: false, setupCode: '7k2m-p9xq-4tza' }

describe('the first account', () => {
  it('is made by a whole command: it names the folder and the program, quoted where a shell needs it', () => {
    expect(announcement(place(), found)).toMatch(
      / {4}DATA_DIR=\/srv\/sheaf\/data node \S+\/bin\/sheaf\.js user create --operator\n/,
    )
    expect(announcement(place({ dataFolder: "/home/ana's data" }), found)).toContain(
      "DATA_DIR='/home/ana'\\''s data' node ",
    )
  })

  it('names DATABASE_URL and SECRET_KEY where there are any, and shows neither', () => {
    expect(announcement(place({ hasDatabaseUrl: true, hasSecretKey: true }), found)).toContain(
      'DATA_DIR=/srv/sheaf/data DATABASE_URL=… SECRET_KEY=… node ',
    )
  })

  it('is made on a page too, whose address holds the code', () => {
    expect(announcement(place(), found)).toContain('open\n    http://127.0.0.1:8080/setup?code=7k2m-p9xq-4tza\n')
    expect(announcement(place({ baseUrl: 'https://data.example.org' }), found)).toContain(
      '    https://data.example.org/setup?code=7k2m-p9xq-4tza\n',
    )
  })

  it('is not spoken of where there are some, and neither is the code', () => {
    const text = announcement(place(), { ...found, accounts: 2, isEmpty: false, hasOperator: true })
    expect(text).toContain('2 accounts.\n')
    expect(text).not.toMatch(/user create|7k2m|operator/)
  })

  it('an installation without an operator says how to name one', () => {
    expect(announcement(place(), { ...found, accounts: 1, isEmpty: false })).toMatch(
      /1 account\. Nobody is an operator, who would see \/server:\n {4}DATA_DIR=\S+ node \S+ user operator USERNAME\n/,
    )
  })
})

describe('a replica', () => {
  it('without DATABASE_URL is a mistake that is told', () => {
    expect(settingWarnings(place({ hasReplicas: true, hasDatabaseUrl: true }))).toEqual([])
    expect(settingWarnings(place({ hasReplicas: true }))).toEqual([
      expect.stringMatching(/^DATABASE_REPLICA_URL is set, and DATABASE_URL is not/),
    ])
  })

  it('has several addresses with commas between them; a password may hold commas', () => {
    expect(replicaAddresses('postgres://a:1,2@one/x, postgresql://two/x,postgres://three/x')).toEqual([
      'postgres://a:1,2@one/x',
      'postgresql://two/x',
      'postgres://three/x',
    ])
    expect(() => loadConfig(allSettings, { DATABASE_REPLICA_URL: 'mysql://two' })).toThrow('DATABASE_REPLICA_URL')
  })
})

describe('phones', () => {
  it.each([
    [{}, 'cannot reach this address; HOST=0.0.0.0'],
    [{ host: '::1' }, 'cannot reach this address'],
    [{ host: 'localhost' }, 'cannot reach this address'],
    [{ host: '0.0.0.0', baseUrl: 'http://localhost:8080' }, 'cannot reach this address'],
    [{ host: '0.0.0.0' }, 'http://192.168.1.5:8080/USERNAME or http://10.0.0.7:8080/USERNAME in ODK Collect'],
    [{ host: '192.168.1.5', port: 9000 }, 'http://192.168.1.5:9000/USERNAME in ODK Collect'],
    [{ baseUrl: 'https://data.example.org' }, 'https://data.example.org/USERNAME in ODK Collect'],
  ])('%j: %s', (more, words) => {
    expect(phoneAdvice(place(more), ['192.168.1.5', '10.0.0.7'])).toContain(words)
  })

  it('need a network that the server is in', () => {
    expect(phoneAdvice(place({ host: '0.0.0.0' }), [])).toContain('need a network')
  })
})

describe('settings that do not go together', () => {
  const https = 'https://data.example.org'

  it.each([
    [{ baseUrl: https }, ['TRUST_PROXY does not name it']],
    [{ baseUrl: https, trustProxy: ['loopback'] }, []],
    [{ baseUrl: 'http://data.example.org' }, []],
    [{ hasSmtp: true }, ['BASE_URL is not set, while SMTP_URL']],
    [{ trustProxy: ['loopback'] }, ['BASE_URL is not set, while TRUST_PROXY']],
    [{}, []],
  ])('%j is told in words: %j', (more, words) => {
    const warnings = settingWarnings(place(more))
    expect(warnings).toHaveLength(words.length)
    for (const [index, part] of words.entries()) expect(warnings[index]).toContain(part)
  })
})

describe('Node.js', () => {
  it('22 is advised on an older one, with the first account and not again', () => {
    expect(nodeAdvice('20.19.0')).toContain('Node.js 20.19.0 works; 22 is the version to use')
    expect([nodeAdvice('22.1.0'), nodeAdvice('24.0.0')]).toEqual(['', ''])
    expect(announcement(place(), { ...found, accounts: 1, isEmpty: false })).not.toContain('Node.js')
  })
})
