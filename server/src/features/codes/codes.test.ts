import jsQR from 'jsqr'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { type KeyBody, newKey, newLink } from '../../../test/support/keys.js'
import { newProject, share } from '../../../test/support/projects.js'
import { decodeSettings } from '../../formats/collect-settings/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account
let project: number
let form: number
let key: KeyBody

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
  project = await newProject(app, ana, { name: 'Clinics 🏥 عيادات' })
  await share(app, ana, project, 'ben', 'editor')
  form = (await publish(app, ana, undefined, { project })).formid
  key = await newKey(app, ana, project, { name: 'Tablet 7' })
})

const settings = (id: number, more = '', by = ana) => app.as(by)('GET', `/keys/${id}/settings${more}`)
const sheet = (more = '', by = ana, at = project) => app.as(by)('GET', `/projects/${at}/keys/sheet${more}`)

/** What a phone reads from a picture. */
const scan = async (picture: Buffer): Promise<unknown> => {
  const image = sharp(picture).resize(800, 800, { kernel: 'nearest' }).ensureAlpha().raw()
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const code = jsQR.default(new Uint8ClampedArray(data), info.width, info.height)
  return code === null ? undefined : decodeSettings(code.data)
}

const managed = (of: KeyBody, name: string) => ({
  general: {
    server_url: of.address,
    form_update_mode: 'match_exactly',
    autosend: 'wifi_and_cellular',
    metadata_username: of.name,
  },
  admin: {},
  project: { name, icon: 'C', color: '#2e6b4f' },
})

describe('GET /keys/{id}/settings', () => {
  it('200 what the phone is to be told: the address, just these forms, sending on its own, and whose phone it is', async () => {
    const answer = await settings(key.id)
    expect(answer.json()).toEqual(managed(key, 'Clinics 🏥 عيادات'))
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await settings(key.id, '.json')).json()).toEqual(answer.json())
  })

  it('200 the address and the name alone with mode=plain', async () => {
    expect((await settings(key.id, '?mode=plain')).json().general).toEqual({ server_url: key.address })
  })

  it('200 with what was chosen for the phone, each in its part', async () => {
    const query = '?autosend=wifi_only&image_size=small&delete_send=true&jump_to=false&app_language=fr&font_size=21'
    const { general, admin } = (await settings(key.id, query)).json()
    expect(general).toMatchObject({
      autosend: 'wifi_only',
      image_size: 'small',
      delete_send: true,
      app_language: 'fr',
      font_size: '21',
    })
    expect(admin).toEqual({ jump_to: false })
  })

  it('400 names every setting that Collect would skip or refuse', async () => {
    const answer = await settings(key.id, '?mode=other&autosend=always&jump_to=perhaps&app_language=%3Cb%3E')
    expect(answer.statusCode).toBe(400)
    for (const name of ['app_language', 'autosend', 'jump_to', 'mode']) expect(answer.json().detail).toContain(name)
  })

  it('200 with the address of the key, whatever else a query names', async () => {
    const query = `?server_url=https://evil.example/x&username=eve&admin_pw=1&x=${'f0'.repeat(3000)}`
    expect((await settings(key.id, query)).json()).toEqual((await settings(key.id)).json())
    expect(await scan((await settings(key.id, `.svg${query}`)).rawPayload)).toEqual((await settings(key.id)).json())
    expect((await sheet(query)).body).toBe((await sheet()).body)
  })

  it('is read from the text, the SVG and the PNG as it stands in the JSON', async () => {
    const told = (await settings(key.id)).json()
    const text = await settings(key.id, '.txt')
    expect(text.headers['content-type']).toMatch(/^text\/plain/)
    expect(decodeSettings(text.body)).toEqual(told)
    const svg = await settings(key.id, '.svg')
    expect(svg.headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(await scan(svg.rawPayload)).toEqual(told)
    const png = await settings(key.id, '.png')
    expect(png.headers['content-type']).toBe('image/png')
    expect(await scan(png.rawPayload)).toEqual(told)
    expect(await scan((await settings(key.id, '.png?mode=plain')).rawPayload)).toMatchObject({
      general: { server_url: key.address },
    })
  })

  it('200 for a link, by the title of its form', async () => {
    const link = await newLink(app, ana, form)
    const { title } = (await app.as(ana)('GET', `/forms/${form}`)).json()
    expect((await settings(link.id)).json().project.name).toBe(title)
  })

  it('of a renewed key is the new address', async () => {
    const old = await newKey(app, ana, project)
    const renewed = (await app.as(ana)('POST', `/keys/${old.id}/renew`)).json()
    expect((await settings(old.id)).json().general.server_url).toBe(renewed.address)
    expect(renewed.address).not.toBe(old.address)
  })

  it('409 for a key that opens nothing any more', async () => {
    const revoked = await newKey(app, ana, project)
    await app.as(ana)('POST', `/keys/${revoked.id}/revoke`)
    for (const ending of ['', '.txt', '.svg', '.png']) expect((await settings(revoked.id, ending)).statusCode).toBe(409)
  })

  it('403 for whoever does not manage the project', async () => {
    for (const ending of ['', '.txt', '.svg', '.png'])
      expect((await settings(key.id, ending, ben)).statusCode).toBe(403)
  })

  it('404 for a stranger, exactly as for a missing key; 401 without an account', async () => {
    const missing = await settings(999_999, '.svg', stranger)
    for (const ending of ['', '.txt', '.svg', '.png']) {
      const hidden = await settings(key.id, ending, stranger)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    }
    expect((await app.call('GET', `/keys/${key.id}/settings.svg`)).statusCode).toBe(401)
  })
})

describe('GET /projects/{pk}/keys/sheet', () => {
  const picturesIn = (html: string) => html.match(/<svg[\s\S]*?<\/svg>/g) ?? []

  it('200 a page with the code of every phone that works, and of no other', async () => {
    const place = await newProject(app, ana, { name: '<Clinics> & "more"' })
    const phones = [await newKey(app, ana, place, { name: '<b>A</b>' }), await newKey(app, ana, place)]
    const revoked = await newKey(app, ana, place)
    await app.as(ana)('POST', `/keys/${revoked.id}/revoke`)
    const answer = await sheet('', ana, place)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    const read = await Promise.all(picturesIn(answer.body).map((svg) => scan(Buffer.from(svg))))
    const addresses = read.map((one) => (one as { general: { server_url: string } }).general.server_url)
    expect(addresses.toSorted()).toEqual(phones.map(({ address }) => address).toSorted())
    expect(answer.body).toContain('&lt;b&gt;A&lt;/b&gt;')
    expect(answer.body).not.toContain('<b>A</b>')
  })

  it('200 in the language that is asked for', async () => {
    const arabic = (await sheet('?language=ar')).body
    expect(arabic).toContain('<html lang="ar" dir="rtl">')
    expect((await sheet('?language=xx')).statusCode).toBe(400)
  })

  it('200 and says so where no key works', async () => {
    const empty = await sheet('', ana, await newProject(app, ana))
    expect(empty.body).toContain('No key works at present.')
  })

  it('403 for whoever does not manage the project, 404 for a stranger, exactly as for a missing one', async () => {
    expect((await sheet('', ben)).statusCode).toBe(403)
    const missing = await sheet('', stranger, 999_999)
    const hidden = await sheet('', stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})
