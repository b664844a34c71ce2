// The thread is tried as it is shipped: a Worker starts from a file.
import { execFileSync } from 'node:child_process'
import type { Worker } from 'node:worker_threads'
import { type FormCompiler, openFormCompiler, ThreadHost, ThreadTooSlow } from '@sheaf/xlsform/thread'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { compile, parseXForm } from '../src/index.js'
import { text } from './support/workbooks.js'

let compiler: FormCompiler | undefined
afterEach(() => compiler?.close())

const open = (options = {}) => {
  compiler = openFormCompiler(options)
  return compiler
}

const sheet = (name: string, type = 'text') => text(`survey\n,type,name,label\n,${type},${name},Label\n`)
/** Some seconds, and some hundred megabytes. */
const large = text(
  `survey\n,type,name,label\n,select_one l,q,Q\nchoices\n,list_name,name,label\n${Array.from({ length: 600_000 }, (_, at) => `,l,c${at},Choice ${at}`).join('\n')}`,
)
const problemsOf = (work: Promise<unknown>) => work.then(String, ({ problems }) => problems)

describe('a compiler in a thread', () => {
  it('gives what the compiler gives: the XForm, what it says about itself, its oddities', async () => {
    const { xform, model, ...form } = compile(sheet('age', 'integer'), { fileName: 'visit.csv' })
    expect(await open().compile(sheet('age', 'integer'), { fileName: 'visit.csv' })).toEqual({
      ...form,
      xml: xform,
      rootName: model.rootName,
      publicKey: null,
    })
  })

  it('warns of an XForm that gives every record the same id; not where the id is made', async () => {
    const { xform } = compile(sheet('age'), { fileName: 'visit.csv' })
    const fixed = xform.replace('<instanceID/>', '<instanceID>uuid:1</instanceID>')
    expect(fixed).not.toBe(xform)
    const unmade = fixed.replace(/ jr:preload="uid"/, '')
    expect(unmade).not.toBe(fixed)
    const codes = async (xml: string) => (await open().read(Buffer.from(xml))).warnings.map(({ code }) => code)
    expect(await codes(xform)).toEqual([])
    expect(await codes(fixed)).toEqual([])
    expect(await codes(unmade)).toEqual(['fixed-instance-id'])
  })

  it('reads an XForm in the encoding that it declares, and declares UTF-8 from then on', async () => {
    const xform = compile(sheet('age'), { fileName: 'visit.csv' }).xform.replace('>Label<', '>Größe<')
    const latin = xform.replace(/^<\?xml[^>]*\?>/, '<?xml version="1.0" encoding="ISO-8859-1"?>')
    const read = await open().read(Buffer.from(latin, 'latin1'))
    expect(read.xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>/)
    expect(read.xml).toContain('>Größe<')
    expect(read).toMatchObject({ formId: 'visit', rootName: 'data', version: null })
  })

  it('rewrites an XForm, with the model of what comes out', async () => {
    const { xform } = compile(sheet('age'), { fileName: 'visit.csv' })
    const { xml, model } = await open().rewrite(xform, { id: 'visit_1', version: '2' })
    expect(JSON.parse(model)).toEqual(JSON.parse(JSON.stringify(parseXForm(xml))))
    expect(JSON.parse(model)).toMatchObject({ formId: 'visit_1', version: '2' })
  })

  it('of many at once, each gets its own answer, and mistakes keep their places', async () => {
    const { compile: inThread } = open()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        problemsOf(
          inThread(sheet(`q${at}`, at % 3 === 0 ? 'txet' : 'text')).then(({ xml }) =>
            xml.includes(`/q${at}"`) ? 'own' : 'other',
          ),
        ),
      ),
    )
    expect(answers).toEqual(
      answers.map((_, at) =>
        at % 3 === 0
          ? [expect.objectContaining({ code: 'unknown-type', sheet: 'survey', row: 2, column: 'type' })]
          : 'own',
      ),
    )
  })

  it.each([
    ['memory', { memoryMegabytes: 48 }, 'The form needs too much memory.'],
    ['time', { timeoutMilliseconds: 1000 }, 'The form takes longer than 1 seconds to read.'],
  ])('a form that eats %s is refused in words; those behind it are compiled', async (_, bound, words) => {
    const { compile: inThread } = open(bound)
    const [before, hungry, behind] = await Promise.all([
      problemsOf(inThread(sheet('a')).then(({ formId }) => formId)),
      problemsOf(inThread(large)),
      problemsOf(inThread(sheet('b'), { fileName: 'behind.csv' }).then(({ formId }) => formId)),
    ])
    expect(hungry).toMatchObject([{ code: 'too-large', message: expect.stringContaining(words) }])
    expect([typeof before, behind]).toEqual(['string', 'behind'])
  })

  it('ends its thread when nothing is asked of it, and starts another when something is', async () => {
    const ended = new Promise<void>((resolve) => {
      process.once('worker', (worker: Worker) => worker.once('exit', () => resolve()))
    })
    const { compile: inThread } = open({ idleMilliseconds: 1 })
    await inThread(sheet('a'))
    await ended
    expect(await inThread(sheet('b'), { fileName: 'again.csv' })).toMatchObject({ formId: 'again' })
  })

  it('does not keep a program alive that has nothing else to do', () => {
    const program = `
      import { openFormCompiler } from '@sheaf/xlsform/thread'
      const { formId } = await openFormCompiler().compile(Buffer.from('survey\\n,type,name,label\\n,text,a,A'), { fileName: 'x.csv' })
      process.stdout.write(formId)`
    const folder = new URL('../', import.meta.url)
    expect(execFileSync('node', ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' })).toBe('x')
  })

  it('refuses what cannot be handed to another thread, and goes on', async () => {
    const { compile: inThread } = open()
    const wrong = { fileName: (() => 'x') as unknown as string }
    const [before, refused, after] = await Promise.allSettled([
      inThread(sheet('a')),
      inThread(sheet('b'), wrong),
      inThread(sheet('c')),
    ])
    expect([before.status, refused.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('once closed refuses what is being worked on, what waits and what comes, and nothing hangs', async () => {
    const { compile: inThread, close } = open()
    const working = [inThread(large), inThread(sheet('a'))]
    const closed = working.map((one) => expect(one).rejects.toThrow('The compiler was closed'))
    await close()
    await Promise.all([...closed, expect(inThread(sheet('b'))).rejects.toThrow('The compiler was closed')])
  })
})

describe('a thread that gets no core', () => {
  // It stands still where another would compute: what it does costs the machine nothing.
  const source = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (milliseconds) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
      parentPort.postMessage({ kind: 'done', outcome: milliseconds })
    })
    parentPort.postMessage({ kind: 'ready' })`
  const program = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const host = new ThreadHost<number, number>({
    program,
    idleMilliseconds: 60_000,
    timeoutMilliseconds: 400,
    memoryMegabytes: 64,
  })
  afterAll(() => host.close())

  it('may take longer by the clock than it may compute', async () => {
    expect(await host.ask(600)).toBe(600)
  })

  it('is given up after four times as long, and the next work is done', async () => {
    const answers = await Promise.allSettled([host.ask(60_000), host.ask(0)])
    expect(answers).toEqual([
      { status: 'rejected', reason: new ThreadTooSlow(400) },
      { status: 'fulfilled', value: 0 },
    ])
  })
})
