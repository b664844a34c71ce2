// A server, a line that can be cut, and a browser with a profile on the disk: for tests of what is filled in.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Account, testApp } from './app.js'
import { Device } from './device.js'
import type { Sheet } from './filling.js'
import { publish, sheet } from './forms.js'
import { Line } from './line.js'

const survey = 'type,name,label\ntext,name,Name\nbegin repeat,photos,Photos\nimage,photo,Photo\nend repeat,,'

/** Ana has a form; each test has a new one, and a new browser in which she is signed in. */
export const useFillPlace = (env: Record<string, string> = {}) => {
  const app = testApp(env)
  const line = new Line()
  const place = {
    app,
    line,
    ana: undefined as unknown as Account,
    device: undefined as unknown as Device,
    form: {} as Sheet,
  }

  beforeAll(async () => {
    await line.open(await app.http.app.listen({ host: '127.0.0.1', port: 0 }))
    place.ana = await app.account({ username: 'ana' })
  })
  afterAll(() => line.close())
  beforeEach(async () => {
    const text = sheet(survey, { settings: { form_title: 'Visit' } })
    const { formid, id_string, version } = await publish(app, place.ana, text)
    place.form = { door: '/ana', formId: formid, idString: id_string, version, whose: 'ana' }
    place.device = await new Device(line.address).open()
    await place.device.signIn(place.ana)
  })
  afterEach(async () => {
    line.mend()
    await place.device.forget()
  })
  return place
}
