import { compile } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { workbookOf } from '../workbook.js'
import { chanceOf, householdRecords, householdSheets, instanceXml, towns, visitsBefore } from './index.js'

const now = new Date('2026-03-18T06:30:00Z')
const wanted = { seed: 7, now, days: 120, count: 2000, photos: 5 }

describe('the material of the example', () => {
  it('is a form that the compiler has nothing to say about', async () => {
    const { formId, warnings } = compile(await workbookOf(householdSheets), { fileName: 'household_survey.xlsx' })
    expect([formId, warnings]).toEqual(['household_survey', []])
  })

  it('is the same for the same seed, and another for another', () => {
    const told = () => JSON.stringify(householdRecords(wanted))
    expect(told()).toBe(told())
    const drawn = () =>
      householdRecords(wanted)
        .find(({ pictures }) => pictures.length > 0)
        ?.pictures[0]?.draw()
    expect(drawn()).toBe(drawn())
    expect(householdRecords({ ...wanted, seed: 8 })[0]?.instanceId).not.toBe(householdRecords(wanted)[0]?.instanceId)
  })

  it('comes in its order, on working days more than on Sundays, and never from the future', () => {
    for (const hour of [0, 3, 9, 15, 21]) {
      const at = new Date(now.getTime() + hour * 3_600_000)
      const visits = visitsBefore(chanceOf(1), at, 60, 700)
      const times = visits.map(({ submitted }) => submitted.getTime())
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(Math.max(...times)).toBeLessThanOrEqual(at.getTime())
      const onDay = (day: number) => visits.filter(({ start }) => start.getUTCDay() === day).length
      expect(onDay(0) * 4).toBeLessThan(onDay(3))
      expect(visits.every(({ start, end, submitted }) => start < end && end <= submitted)).toBe(true)
    }
  })

  it('lies around its towns, and shows a trend: fewer drink from the river at the end', () => {
    const records = householdRecords(wanted)
    const places = records.flatMap(({ answers }) => {
      const { place } = answers.visit as { place: string }
      return place === '' ? [] : [place.split(' ').map(Number)]
    })
    const isNear = ([latitude = 0, longitude = 0]: number[]) =>
      towns.some((town) => Math.hypot(town.latitude - latitude, town.longitude - longitude) < 0.08)
    expect(places.every(isNear)).toBe(true)
    const fromRiver = (part: typeof records) =>
      part.filter(({ answers }) => (answers.water as { water_source?: string })?.water_source === 'river').length
    expect(fromRiver(records.slice(0, 600))).toBeGreaterThan(fromRiver(records.slice(-600)) * 1.3)
  })

  it('skips what the form skips: nobody who has water at home fetches it, only children of school age are asked for it', () => {
    for (const { answers } of householdRecords(wanted)) {
      const water = answers.water as Record<string, string> | undefined
      if (water?.water_source === 'piped') expect([water.water_minutes, water.water_photo]).toEqual(['', ''])
      for (const member of (answers.member ?? []) as { age: string; school?: string }[]) {
        const age = Number(member.age)
        expect(member.school !== undefined).toBe(age >= 6 && age <= 17)
        expect(age).toBeLessThanOrEqual(120)
      }
    }
  })

  it('is written as XML whatever a text holds', () => {
    const filled = {
      instanceId: 'i',
      submitted: now,
      answers: { a: 'x < y & z', g: { b: '' }, r: [{ c: '1' }, { c: '2' }] },
    }
    expect(instanceXml({ id: 'f', version: '1' }, filled)).toBe(
      '<data id="f" version="1" submissionDate="2026-03-18T06:30:00.000Z"><a>x &lt; y &amp; z</a><g><b/></g><r><c>1</c></r><r><c>2</c></r><meta><instanceID>uuid:i</instanceID></meta></data>',
    )
  })
})
