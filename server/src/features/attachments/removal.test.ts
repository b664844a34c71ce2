import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { fileAddress, jpeg, photoForm, sendFiles } from '../../../test/support/attachments.js'
import { aDayLater } from '../../../test/support/uploads.js'
import { runPendingJobs } from '../../platform/jobs/index.js'
import { thumbnailEndings } from './thumbnails.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true' })

describe('a record that is removed for good', () => {
  it('takes its files and their pictures along: hidden at once, their bytes gone a day later', async () => {
    const ana = await app.account()
    const form = await photoForm(app, ana)
    const file = await sendFiles(app, ana, form, { photo: { name: 'a.jpg', content: await jpeg(300, 300) } })
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    expect((await app.as(ana)('GET', fileAddress(file, 'large'))).statusCode).toBe(200)
    const keys = ['', ...thumbnailEndings].map((ending) => file.key + ending)
    const stored = () => Promise.all(keys.map((key) => app.deps.files.exists(key)))
    expect(await stored()).toEqual([true, true, true, true])
    const path = `/data/${form.formid}/${file.instance}`
    expect((await app.as(ana)('DELETE', path, { body: { permanent_delete: true } })).statusCode).toBe(204)
    expect((await app.as(ana)('GET', fileAddress(file, 'small'))).statusCode).toBe(404)
    await aDayLater(app.deps.db)
    await app.deps.jobs.run('uploads.purge', {})
    expect(await stored()).toEqual([false, false, false, false])
  })
})
