// Records as rows of answers, as the Flow Results specification wants them.
import { type FlowRow, flowRowsOf } from '../../../formats/flow-results/index.js'
import { mediaTypes } from '../../../platform/http/index.js'
import { sendStream } from '../reading/index.js'
import { type Renderer, recordsOf } from './rendering.js'

/** A row for each answer. A long list of choices stands in every row that is one of them. */
export async function* flowResultsOf(rows: AsyncIterable<FlowRow>): AsyncGenerator<string> {
  let between = '['
  for await (const row of rows) {
    yield between + JSON.stringify(row)
    between = ','
  }
  yield between === '[' ? '[]' : ']'
}

export const sendFlowResults: Renderer = ({ db, reply, list, slice }) => {
  async function* rows(): AsyncGenerator<FlowRow> {
    for await (const record of recordsOf(db, list, slice)) yield* flowRowsOf(record, list.shape)
  }
  return sendStream(reply, mediaTypes['flow-results'], flowResultsOf(rows()))
}
