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
