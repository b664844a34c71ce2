import { fork } from 'node:child_process'
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ask } from './workers.js'

describe('what processes ask each other', () => {
  it('has no answer, and harms nobody, where the other one has just gone', async () => {
    const child = fork('-', { execArgv: ['--input-type=module', '--eval', 'process.on("message", () => undefined)'] })
    await once(child, 'spawn')
    child.disconnect()
    // What a worker is, as far as messages go.
    expect(await ask(child as unknown as Worker, (id) => ({ kind: 'own metrics?', id }))).toBeUndefined()
    child.kill()
  })
})
