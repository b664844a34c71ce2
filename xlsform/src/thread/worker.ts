// The other end of thread.ts: runs in a thread of its own.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { type CompileOptions, compile } from '../compile.js'
import { decodeXml } from '../parse/decode-xml.js'
import { fixedIdIn } from '../parse/fixed-id.js'
import { parseXForm } from '../parse/parse-xform.js'
import { XlsFormError } from '../problems.js'
import { rewriteXForm, type XFormChanges } from '../rewrite/rewrite.js'
import { type SheetTable, sheetTables } from '../workbook/sheet-tables.js'
import type { ThreadMessage } from './host.js'
import type { FormDraft, Outcome, RewrittenForm, Work } from './messages.js'

const compiled = (bytes: Uint8Array, options: CompileOptions): FormDraft => {
  const { xform, model, ...form } = compile(bytes, { ...options, keepUnshownLabels: true })
  return { ...form, xml: xform, rootName: model.rootName, publicKey: model.publicKey }
}

/** From here on it is text, which is sent as UTF-8 whatever it was before. */
const declareUtf8 = (xml: string): string =>
  xml.replace(/^\uFEFF/, '').replace(/^(<\?xml\s[^>]*?\sencoding\s*=\s*["'])[^"']*/, '$1UTF-8')

const read = (bytes: Uint8Array): FormDraft => {
  const xml = declareUtf8(decodeXml(bytes))
  const model = parseXForm(xml)
  const { formId, title, version, rootName, publicKey } = model
  return { xml, formId, title, version, rootName, publicKey, warnings: fixedIdIn(xml, model) }
}

const rewritten = (given: string, changes: XFormChanges): RewrittenForm => {
  const xml = rewriteXForm(given, changes)
  return { xml, md5: createHash('md5').update(xml).digest('hex'), model: JSON.stringify(parseXForm(xml)) }
}

const resultOf = (work: Work): FormDraft | RewrittenForm | SheetTable[] => {
  switch (work.kind) {
    case 'tables':
      return sheetTables(work.bytes)
    case 'compile':
      return compiled(work.bytes, work.options)
    case 'read':
      return read(work.bytes)
    case 'rewrite':
      return rewritten(work.xml, work.changes)
  }
}

const outcomeOf = (work: Work): Outcome => {
  try {
    return { value: resultOf(work) }
  } catch (error) {
    return error instanceof XlsFormError ? { problems: error.problems } : { fault: error }
  }
}

/** Bytes are handed over, not copied. */
const handed = (message: ThreadMessage<Outcome>): ArrayBuffer[] =>
  message.kind === 'done' && 'value' in message.outcome && Array.isArray(message.outcome.value)
    ? message.outcome.value.map(({ csv }) => csv.buffer as ArrayBuffer)
    : []

const send = (message: ThreadMessage<Outcome>) => parentPort?.postMessage(message, handed(message))

parentPort?.on('message', (work: Work) => send({ kind: 'done', outcome: outcomeOf(work) }))
send({ kind: 'ready' })
