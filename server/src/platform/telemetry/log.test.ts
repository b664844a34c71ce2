import { describe, expect, it } from 'vitest'
import { openLog } from './index.js'

const logged = (write: (log: ReturnType<typeof openLog>) => void) => {
  const lines: string[] = []
  write(openLog('info', { write: (line) => lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('is one JSON line per event, with time and level in words', () => {
    expect(logged((log) => log.info({ a: 1 }, 'done'))).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), a: 1, msg: 'done' },
    ])
  })

  it('hides secrets by their name, also one level down', () => {
    const [line] = logged((log) => log.info({ password: 'hush', body: { new_password: 'hush', token: 'hush' } }, 'x'))
    expect(JSON.stringify(line)).not.toContain('hush')
  })

  it('shows of an error its words, code, stack and cause, and nothing that hangs on it', () => {
    const error = Object.assign(new Error('broken', { cause: new Error('why') }), {
      code: 'E1',
      client: { secret: 'hush' },
    })
    const [line] = logged((log) => log.error({ err: error }, 'x'))
    expect(line.err).toMatchObject({ message: 'broken', code: 'E1', cause: { message: 'why' } })
    expect(JSON.stringify(line)).not.toContain('hush')
  })
})

const pretty = (write: (log: ReturnType<typeof openLog>) => void) => {
  const lines: string[] = []
  write(openLog('info', { write: (line) => lines.push(line) }, 'pretty'))
  return lines.join('')
}

describe('the log for people', () => {
  it('has a line for each request: when, what, how it went, how long, who, from where', () => {
    const request = { reqId: 'r1', address: '10.0.0.1', operation: 'data.list', method: 'GET', path: '/api/v1/data/1' }
    const text = pretty((log) => {
      log.info({ ...request, status: 200, ms: 1.5, user: 7, account: 'ana' }, 'request')
      log.info({ ...request, status: 500, ms: 2, user: 0 }, 'request')
    })
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d info {2}GET \/api\/v1\/data\/1 200 1\.5 ms ana 10\.0\.0\.1\n\d\d:\d\d:\d\d info {2}GET \/api\/v1\/data\/1 500 2 ms 10\.0\.0\.1 reqId=r1\n$/,
    )
  })

  it('has fields by name, and the stack of an error with its cause below', () => {
    const error = new Error('broken', { cause: new Error('why') })
    const text = pretty((log) => log.warn({ job: 'mail.send', attempt: 2, err: error }, 'job failed'))
    expect(text).toMatch(/^\d\d:\d\d:\d\d WARN {2}job failed job=mail\.send attempt=2\n {4}Error: broken\n {4} +at /)
    expect(text).toContain('    because of\n    Error: why\n')
  })

  it('lets nobody steer the terminal, or write a line of their own', () => {
    const evil = 'x\u001b[2J\u009b31m\r\n00:00:00 info  forged\u2028\u202e\u0000'
    const error = new Error(evil)
    error.stack = `Error: ${evil}`
    const text = pretty((log) => {
      log.info({ method: 'GET', path: evil, status: 404, ms: 1, account: evil, address: evil }, 'request')
      log.warn({ [evil]: evil, nested: { evil } }, evil)
      log.error({ err: error }, 'failed')
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/)
    expect(text.split('\n').filter((line) => /^\d\d:/.test(line))).toHaveLength(3)
  })
})
