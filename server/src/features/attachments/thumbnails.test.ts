import sharp from 'sharp'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { fileAddress, jpeg, photoForm, pngBomb, type StoredFile, sendFiles } from '../../../test/support/attachments.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { sql } from '../../platform/db/index.js'
import { runPendingJobs } from '../../platform/jobs/index.js'
import { Thumbnails, thumbnailEndings } from './thumbnails.js'

const app = testApp()
let ana: Account
let stranger: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account()
  stranger = await app.account()
  form = await photoForm(app, ana)
})

const sendPhoto = (content: Buffer, name = 'photo.jpg') => sendFiles(app, ana, form, { photo: { name, content } })
const get = (file: StoredFile, suffix?: string, headers: Record<string, string> = {}) =>
  app.as(ana)('GET', fileAddress(file, suffix), { headers })
const runJobs = () => runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
/** The library answers before it has written down what became of the last job. */
const pendingJobs = () =>
  vi.waitFor(async () => {
    const { count, underWay } = await app.database.db.one<{ count: number; underWay: number }>(sql`
      select count(*), count(*) filter (where locked_at is not null) as "underWay"
      from graphile_worker.jobs where task_identifier = 'attachments.thumbnails'`)
    expect(underWay).toBe(0)
    return count
  })

const sidesOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return { width, height, format }
}

describe('GET /files/{id} with suffix', () => {
  it.each([
    ['small', 240, 120],
    ['medium', 640, 320],
    ['large', 1280, 640],
  ])('200 with a %s picture: %i pixels on the longest side', async (suffix, width, height) => {
    const answer = await get(await sendPhoto(await jpeg(2000, 1000)), suffix)
    expect(answer.statusCode).toBe(200)
    expect(await sidesOf(answer.rawPayload)).toEqual({ width, height, format: 'jpeg' })
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': `attachment; filename="photo-${suffix}.jpg"`,
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(new RegExp(`^"[0-9a-f]{64}-${suffix}"$`)),
    })
  })

  it('200 never enlarged', async () => {
    const answer = await get(await sendPhoto(await jpeg(100, 60)), 'large')
    expect(await sidesOf(answer.rawPayload)).toEqual({ width: 100, height: 60, format: 'jpeg' })
  })

  it('200 upright, and without what the camera wrote into the image', async () => {
    const lying = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#276' } })
      .withExif({ IFD0: { Copyright: 'Ana' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(lying).metadata()).exif).toBeDefined()
    const picture = (await get(await sendPhoto(lying), 'small')).rawPayload
    const { width, height, exif, orientation, icc, xmp } = await sharp(picture).metadata()
    expect({ width, height, exif, orientation, icc, xmp }).toEqual({ width: 120, height: 240 })
  })

  it('200 with the transparency that the image has', async () => {
    const clear = sharp({ create: { width: 400, height: 400, channels: 4, background: '#27600080' } })
    const png = await get(await sendPhoto(await clear.clone().png().toBuffer(), 'a.png'), 'small')
    const webp = await get(await sendPhoto(await clear.clone().webp().toBuffer(), 'a.webp'), 'small')
    const gif = await get(await sendPhoto(await clear.clone().gif().toBuffer(), 'a.gif'), 'small')
    expect([png, webp, gif].map(({ headers }) => headers['content-type'])).toEqual([
      'image/png',
      'image/webp',
      'image/png',
    ])
    for (const { rawPayload } of [png, webp]) {
      expect(await sharp(rawPayload).metadata()).toMatchObject({ hasAlpha: true, width: 240 })
    }
  })

  it('206 and 304 like every file', async () => {
    const file = await sendPhoto(await jpeg(300, 300))
    const whole = await get(file, 'small')
    const part = await get(file, 'small', { range: 'bytes=0-1' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(0, 2)])
    const again = await get(file, 'small', { 'if-none-match': String(whole.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('404 for another size, and for what is no image', async () => {
    const photo = await sendPhoto(await jpeg(300, 300))
    const paper = await sendFiles(app, ana, form, { paper: { name: 'a.txt', content: 'text', type: 'text/plain' } })
    for (const answer of [await get(photo, 'huge'), await get(photo, '__proto__'), await get(paper, 'small')]) {
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { detail: 'There is no picture of this file in this size.' },
      ])
    }
  })

  it('404 for a stranger, exactly as the file itself', async () => {
    const photo = await sendPhoto(await jpeg(300, 300))
    const hidden = await app.as(stranger)('GET', fileAddress(photo, 'small'))
    expect([hidden.statusCode, hidden.body]).toEqual([404, (await app.as(stranger)('GET', fileAddress(photo))).body])
    const nobody = await app.call('GET', fileAddress(photo, 'small'))
    expect([nobody.statusCode, nobody.body]).toEqual([401, (await app.call('GET', fileAddress(photo))).body])
  })

  it('404 for a broken image, whose bytes are served all the same', async () => {
    const whole = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: '#276',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer()
    const broken = await sendPhoto(whole.subarray(0, whole.length / 2))
    expect((await get(broken, 'small')).statusCode).toBe(404)
    expect((await get(broken, 'small')).statusCode).toBe(404)
    expect((await get(broken)).rawPayload.length).toBe(Math.floor(whole.length / 2))
  })

  it('404 for 50,000 by 50,000 pixels, within little memory', async () => {
    const content = await pngBomb(50_000)
    expect(await sharp(content, { limitInputPixels: false }).metadata()).toMatchObject({ width: 50_000, format: 'png' })
    const bomb = await sendPhoto(content, 'bomb.png')
    const before = process.resourceUsage().maxRSS
    for (const suffix of ['small', 'medium', 'large']) expect((await get(bomb, suffix)).statusCode).toBe(404)
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })
})

describe('the job after receipt', () => {
  it('makes the small and the medium one, and no other', async () => {
    const { key } = await sendPhoto(await jpeg(900, 900))
    await runJobs()
    const exist = await Promise.all(thumbnailEndings.map((ending) => app.deps.files.exists(key + ending)))
    expect(thumbnailEndings).toEqual(['-small', '-medium', '-large'])
    expect(exist).toEqual([true, true, false])
  })

  it('is done once with an image that is broken or a bomb: it does not come back', async () => {
    await sendPhoto(Buffer.concat([(await jpeg(300, 300)).subarray(0, 200), Buffer.alloc(50)]))
    await sendPhoto(await pngBomb(8000), 'bomb.png')
    await runJobs()
    expect(await pendingJobs()).toBe(0)
  })

  it('comes back when the store is away', async () => {
    const { key } = await sendPhoto(await jpeg(300, 300))
    const { put } = app.deps.files
    app.deps.files.put = () => Promise.reject(new Error('the store is away'))
    await runJobs()
    app.deps.files.put = put
    expect([await pendingJobs(), await app.deps.files.exists(`${key}-small`)]).toEqual([1, false])
    await app.database.db.run(sql`update graphile_worker._private_jobs set run_at = now()`)
    await runJobs()
    expect([await pendingJobs(), await app.deps.files.exists(`${key}-small`)]).toEqual([0, true])
  })
})

describe('Thumbnails', () => {
  /** The store as the thumbnails see it, with every call written down. */
  const watched = () => {
    const calls: string[] = []
    const { files } = app.deps
    const watching = {
      ...files,
      get: (key: string) => {
        calls.push(`get ${key}`)
        return files.get(key)
      },
      put: (...given: Parameters<typeof files.put>) => {
        calls.push(`put ${given[0]}`)
        return files.put(...given)
      },
    }
    return { calls, thumbnails: new Thumbnails({ ...app.deps, files: watching }) }
  }

  it('are made once for all who ask at the same time, and read from the store later', async () => {
    const { key } = await sendPhoto(await jpeg(900, 900))
    const { calls, thumbnails } = watched()
    const original = { fileKey: key, mimetype: 'image/jpeg' }
    const [first, ...others] = await Promise.all(
      Array.from({ length: 20 }, () => thumbnails.get(original, 'large', 'ana')),
    )
    for (const other of others) expect(other).toEqual(first)
    expect(calls.filter((call) => call === `get ${key}`)).toHaveLength(1)
    expect(calls.filter((call) => call === `put ${key}-large`)).toHaveLength(1)
    expect(await thumbnails.get(original, 'large', 'ana')).toEqual(first)
    expect(calls.at(-1)).toBe(`get ${key}-large`)
  })

  it('are made of two images at a time', async () => {
    const photos = await Promise.all(Array.from({ length: 6 }, async () => sendPhoto(await jpeg(300, 300))))
    const { files } = app.deps
    let open = 0
    let most = 0
    const counting = {
      ...files,
      get: async (key: string) => {
        if (photos.some((one) => one.key === key)) most = Math.max(most, ++open)
        return files.get(key)
      },
      put: async (...given: Parameters<typeof files.put>) => {
        const stored = await files.put(...given)
        open -= 1
        return stored
      },
    }
    const thumbnails = new Thumbnails({ ...app.deps, files: counting })
    await Promise.all(photos.map(({ key }) => thumbnails.get({ fileKey: key, mimetype: 'image/jpeg' }, 'large', 'ana')))
    expect(most).toBe(2)
  })

  it('of an image that was refused are not tried again', async () => {
    const { key } = await sendPhoto(await pngBomb(8000), 'bomb.png')
    const { calls, thumbnails } = watched()
    const original = { fileKey: key, mimetype: 'image/png' }
    for (const size of ['small', 'medium', 'small'] as const) {
      await expect(thumbnails.get(original, size, 'ana')).rejects.toThrow(/too many|refused before/)
    }
    expect(calls.filter((call) => call === `get ${key}`)).toHaveLength(1)
  })

  it('do not stay behind when the original is removed while they are made', async () => {
    const { key } = await sendPhoto(await jpeg(300, 300))
    const { files } = app.deps
    const removing = {
      ...files,
      put: async (...given: Parameters<typeof files.put>) => {
        await files.delete(key)
        return files.put(...given)
      },
    }
    await new Thumbnails({ ...app.deps, files: removing }).get({ fileKey: key, mimetype: 'image/jpeg' }, 'large', 'ana')
    expect(await files.exists(`${key}-large`)).toBe(false)
  })
})
