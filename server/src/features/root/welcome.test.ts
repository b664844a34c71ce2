import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'

const app = testApp()

const shown = async (host: string) => (await app.page('GET', '/', { headers: { host } })).body

describe('the start page', () => {
  it.each(['127.0.0.1:8080', 'localhost', '[::1]:8080'])(
    'says at %s that a phone cannot reach it, and what to do',
    async (host) => {
      const body = await shown(host)
      expect(body).toContain(`A phone cannot reach <code>http://${host}</code>`)
      expect(body).toContain('HOST=0.0.0.0')
    },
  )

  it.each(['192.168.1.5:8080', 'data.example.org'])('says at %s what to type into ODK Collect', async (host) => {
    const body = await shown(host)
    expect(body).toContain(`<code>http://${host}/</code>`)
    expect(body).not.toContain('cannot reach')
  })
})
