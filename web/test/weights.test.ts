import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budgets, faultsIn, weightsOf } from '../weights.mjs'

describe('weights', () => {
  const light = { entry: 90, pages: { welcome: 3, map: 100 }, languages: { fr: 10 } }

  it('a page within its budget is let through', () => {
    expect(faultsIn(light)).toEqual([])
  })

  it('a first page, a page or a language over its budget fails the build', () => {
    const heavy = {
      entry: budgets.first,
      pages: { welcome: 1, data: 61, map: 111, charts: 170 },
      languages: { fr: 61 },
    }
    expect(faultsIn(heavy)).toEqual([
      'first page (welcome): 131 KB, at most 130 KB',
      'data: 61 KB, at most 60 KB',
      'map: 111 KB, at most 110 KB',
      'language fr: 61 KB, at most 60 KB',
    ])
  })

  it('what a page loads by itself is counted for it; what a person asks for is not, nor another page', () => {
    const dist = mkdtempSync(join(tmpdir(), 'sheaf-weights-'))
    try {
      const chunk = (file: string, more: object = {}) => ({ file, ...more })
      const manifest = {
        'index.html': chunk('entry.js', { dynamicImports: ['src/pages/charts/charts.vue'] }),
        'src/pages/charts/charts.vue': chunk('charts.js', { imports: ['_figure.js'] }),
        'src/pages/data/data.vue': chunk('data.js', { dynamicImports: ['src/parts/map/small-map.vue'] }),
        'src/pages/dashboard/dashboard.vue': chunk('board.js', {
          imports: ['_figure.js'],
          dynamicImports: ['src/parts/sketch/outlines.ts'],
        }),
        'src/pages/editor/editor.vue': chunk('editor.js', {
          assets: ['check.worker-1.js'],
          dynamicImports: ['src/templates/water.ts'],
        }),
        'src/templates/water.ts': chunk('water.js'),
        'src/pages/map/map.vue': chunk('map.js', { assets: ['worker.js'], css: ['map.css'] }),
        '_figure.js': chunk('figure.js', { dynamicImports: ['src/parts/chart/library.ts'] }),
        'src/parts/chart/library.ts': chunk('library.js'),
        'src/parts/map/small-map.vue': chunk('small-map.js'),
        'src/parts/sketch/outlines.ts': chunk('outlines.js'),
      }
      mkdirSync(join(dist, '.vite'))
      writeFileSync(join(dist, '.vite/manifest.json'), JSON.stringify(manifest))
      const files = Object.values(manifest).map(({ file }) => file)
      for (const file of [...files, 'worker.js', 'map.css', 'check.worker-1.js']) {
        writeFileSync(join(dist, file), 'x'.repeat(file === 'library.js' ? 171 * 1024 : 1024))
      }
      const weights = weightsOf(dist)
      expect(weights).toMatchObject({
        entry: 1,
        pages: { charts: 173, data: 1, dashboard: 173, editor: 1, 'editor-compiler': 1, map: 3 },
      })
      expect(faultsIn(weights)).toEqual(['charts: 173 KB, at most 170 KB', 'dashboard: 173 KB, at most 170 KB'])
    } finally {
      rmSync(dist, { recursive: true })
    }
  })
})
