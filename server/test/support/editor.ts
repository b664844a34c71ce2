// Walks through the form editor: one person with a project to make forms in.
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Account } from './app.js'
import { hasNoBrowser } from './browser.js'
import { newProject } from './projects.js'
import { useWalk, type Walk } from './walk.js'

interface Editors {
  readonly walk: Walk
  ana: Account
  project: number
}

export const useEditors = (): Editors => {
  const walk = useWalk()
  const at = { walk } as Editors
  beforeAll(async () => {
    if (hasNoBrowser) return
    at.ana = await walk.app.account({ username: 'ana' })
    at.project = await newProject(walk.app, at.ana, { name: 'First' })
  })
  return at
}

/** Until a text is in what this browser keeps of unsaved forms. */
export const keptText = (page: Page, text: string): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<string>((done, failed) => {
            const opening = indexedDB.open('sheaf-editor')
            opening.onerror = () => failed(opening.error)
            opening.onsuccess = () => {
              const reading = opening.result.transaction('works').objectStore('works').getAll()
              reading.onsuccess = () => {
                opening.result.close()
                done(JSON.stringify(reading.result))
              }
            }
          }),
      ),
    )
    .toContain(text)
