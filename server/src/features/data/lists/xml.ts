// Records as one XML document, each with its XML as received.
import { batchEnd, batchItem, batchStart } from '../../../formats/xml/index.js'
import { copyLines, linesOf, sendStream, textWithXml } from '../reading/index.js'
import type { DataRecord, Renderer } from './rendering.js'

export const sendXml: Renderer = ({ db, reply, list, slice, now }) => {
  async function* items(): AsyncGenerator<string> {
    yield batchStart(now.toISOString().replace('Z', '+00:00'))
    for await (const line of linesOf(await copyLines(db, slice, textWithXml(list.seen.form)))) {
      const [record, xml, createdAt] = JSON.parse(line) as [DataRecord, string, string]
      yield await batchItem({ record, xml, createdAt })
    }
    yield batchEnd
  }
  return sendStream(reply, 'application/xml; charset=utf-8', items())
}
