import { isYes, send } from '../client.js'
import { type Fault, recovered } from '../fault.js'
import { newSubmission } from '../submissions.js'

export const fullDisk: Fault = {
  name: 'full-disk',
  description: 'no room left for files while submissions arrive',
  weight: 10,
  run: async (context) => {
    const { place, target, ledger, chance, find, scale } = context
    if (place.disk === undefined) return undefined
    await place.start('own')
    place.disk.fill()
    const counts = { full: 0, without: 0 }
    for (let number = 0; number < 60 * scale; number++) {
      const submission = newSubmission(chance)
      const answer = await send(target, submission)
      ledger.count(answer.status)
      if (isYes(answer)) ledger.acknowledge(submission, undefined)
      else ledger.doubt(submission, undefined)
      if (submission.files.length === 0) {
        if (isYes(answer)) counts.without += 1
        else find(`${answer.status} for a submission without files while the disk for files was full`)
      } else if (answer.status === 507 && answer.retryAfter !== null) counts.full += 1
      else find(`${answer.status} for a submission with files while the disk was full`)
    }
    place.disk.empty()
    const seconds = await recovered(context, 10)
    return `${counts.full} submissions with files got 507 with Retry-After, ${counts.without} without files were taken; all taken again ${seconds.toFixed(1)} s after there was room`
  },
}
