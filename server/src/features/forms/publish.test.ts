import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, upload, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account()
})

describe('POST /forms', () => {
  it('201 with the whole form', async () => {
    const form = await publish(app, ana, visitSheet({ form_id: 'visit', form_title: 'Visit', version: '7' }))
    expect(form).toMatchObject({
      id_string: 'visit',
      title: 'Visit',
      version: '7',
      owner: ana.username,
      encrypted: false,
    })
  })
})
