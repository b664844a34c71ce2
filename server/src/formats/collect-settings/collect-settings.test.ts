import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeSettings, encodeSettings, settingsFor } from './index.js'

const vector = `eNoVzstqwzAQRuF3+bMVdUmvaNnuSghkl3YjptK4VjOSzEjOBeN3D96exceZ8ceZlQR2RmU9s7pJBRZDa2O1XVcHpv6Br5RG4e7Et+7pkB7PXy+nH3333+24rbvL/o0+Agz6oslNY6DGLpXAsEjU/OD4Sr7JDQY0tVI5B1hcYh8d5eA8i0xCisWAQooZdl4MRi3/7Nu6limt2KfEHH2FQfQlrwEGvkhRWGy2/Pr73GNZ7rlnSV4=`

const clinics = {
  address: 'https://sheaf.example/key/3Qm0vJ5kZr8cYtX2sLwN7aBd',
  name: 'Clinics',
  keyName: 'Tablet 7',
  isTest: false,
}
const asIs = { mode: 'managed', general: {}, admin: {} } as const

describe('settings as text', () => {
  it('are those of the known vector, both ways', () => {
    const settings = decodeSettings(vector)
    expect(settings).toEqual({
      general: {
        server_url: clinics.address,
        form_update_mode: 'match_exactly',
        autosend: 'wifi_and_cellular',
      },
      admin: {},
      project: { name: 'Clinics', icon: 'C', color: '#2e6b4f' },
    })
    const packed = Buffer.from(encodeSettings(settings), 'base64')
    expect(inflateSync(packed).toString()).toBe(inflateSync(Buffer.from(vector, 'base64')).toString())
    expect(packed[0]).toBe(0x78)
  })

  it('unpacks to nothing large', () => {
    const bomb = encodeSettings({
      general: { server_url: 'a'.repeat(1_000_000) },
      admin: {},
      project: { name: '', icon: '', color: '' },
    })
    expect(() => decodeSettings(bomb)).toThrow(/larger than/)
  })
})

describe('settingsFor', () => {
  it('manages the phone: just the forms of the list, sending on its own, and whose phone it is', () => {
    expect(settingsFor(clinics, asIs)).toEqual({
      general: {
        server_url: clinics.address,
        form_update_mode: 'match_exactly',
        autosend: 'wifi_and_cellular',
        metadata_username: 'Tablet 7',
      },
      admin: {},
      project: { name: 'Clinics', icon: 'C', color: '#2e6b4f' },
    })
  })

  it('says the address and the project alone where it is plain', () => {
    const { general, project } = settingsFor(clinics, { ...asIs, mode: 'plain' })
    expect(general).toEqual({ server_url: clinics.address })
    expect(project.name).toBe('Clinics')
  })

  it('takes what was chosen before its own', () => {
    const chosen = {
      mode: 'managed',
      general: { autosend: 'off', delete_send: true },
      admin: { jump_to: false },
    } as const
    const { general, admin } = settingsFor(clinics, chosen)
    expect(general).toMatchObject({ autosend: 'off', delete_send: true, form_update_mode: 'match_exactly' })
    expect(admin).toEqual({ jump_to: false })
  })

  it('tells a test form apart', () => {
    const { project } = settingsFor({ ...clinics, isTest: true }, asIs)
    expect(project).toMatchObject({ name: '[test] Clinics', icon: '📝' })
  })

  it('shows the first character as a reader sees it, whatever the name', () => {
    const iconOf = (name: string) => settingsFor({ ...clinics, name }, asIs).project.icon
    expect(iconOf('👩🏽‍🌾 Farms')).toBe('👩🏽‍🌾')
    expect(iconOf('مسح')).toBe('م')
    expect(iconOf('clinics')).toBe('C')
    expect(iconOf('')).toBe('')
  })
})
