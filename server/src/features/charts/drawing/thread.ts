// Drawing in a thread of its own, started when the first page is asked for: loading the library takes 200 ms and a
// picture 20, in which the server would answer nobody.
import { ThreadClosed, ThreadHost, ThreadTooSlow } from '@sheaf/xlsform/thread'
import { budgets } from '../../../budgets.js'
import { drawingFile } from '../../../paths.js'
import { fairGate } from '../../../platform/concurrency/index.js'
import { unavailable } from '../../../platform/http/index.js'
import type { Drawing, Outcome, Work } from './messages.js'

export interface Drawer {
  /** One SVG for each width. */
  draw(by: string, drawing: Drawing, widths: readonly number[]): Promise<readonly string[]>
  close(): Promise<void>
}

export const openDrawer = ({
  // A thread holds about 40 MB; when nobody looks at charts, it goes.
  idleMilliseconds = 60_000,
} = {}): Drawer => {
  const inLine = fairGate(budgets.queues.drawings)
  const thread = new ThreadHost<Work, Outcome>({
    program: drawingFile,
    idleMilliseconds,
    // A picture takes longer only when something is wrong.
    timeoutMilliseconds: 20_000,
    memoryMegabytes: 256,
  })
  const drawn = async (work: Work): Promise<readonly string[]> => {
    const outcome = await thread.ask(work).catch((fault: unknown) => {
      throw fault instanceof ThreadClosed || fault instanceof ThreadTooSlow ? unavailable() : fault
    })
    if ('fault' in outcome) throw outcome.fault
    return outcome.pictures
  }
  return {
    draw: (by, drawing, widths) => inLine(by, () => drawn({ drawing, widths })),
    close: () => thread.close(),
  }
}
