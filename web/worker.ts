// Builds the service worker of /f/ after its page: it is told which files there are. Also what a device needs to install the page.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const icons = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png'] as const

/** Kept by whoever uses it: other languages, maps, and places that need a line or another page anyway. */
const isKeptWhenUsed = (module: string): boolean =>
  /\/src\/texts\/|\/src\/fill\/(check|preview)\/|\/MapBlock/.test(module)

/** What a chunk brings along, and what it may load but the above. */
const broughtBy = (bundle: Rolldown.OutputBundle, { imports, dynamicImports, viteMetadata }: Rolldown.OutputChunk) => {
  const { importedCss = [], importedAssets = [] } = viteMetadata ?? {}
  const loaded = dynamicImports.filter((name) => {
    const chunk = bundle[name]
    return chunk?.type === 'chunk' && !isKeptWhenUsed(chunk.facadeModuleId ?? chunk.name)
  })
  return [...imports, ...importedCss, ...importedAssets, ...loaded]
}

const isFirst = (file: Rolldown.OutputBundle[string]): boolean =>
  file.type === 'chunk' ? file.isEntry : /\/look-\w+\.js$/.test(file.fileName)

/** From the entry on. */
const coreOf = (bundle: Rolldown.OutputBundle): string[] => {
  const core = new Set(Object.keys(bundle).filter((name) => isFirst(bundle[name] as Rolldown.OutputAsset)))
  // A set goes on to what is added while it is walked.
  for (const name of core) {
    const file = bundle[name]
    if (file?.type === 'chunk') for (const other of broughtBy(bundle, file)) core.add(other)
  }
  return [...core]
}

const manifestOf = (iconPath: (name: string) => string) => ({
  name: 'Sheaf',
  short_name: 'Sheaf',
  description: 'Fill in forms, also without a connection.',
  id: '/f/',
  start_url: '/f/outbox',
  scope: '/f/',
  display: 'standalone',
  background_color: '#f8f8f6',
  theme_color: '#1f6f54',
  icons: icons.map((name) => ({
    src: iconPath(name),
    type: 'image/png',
    sizes: name.includes('192') ? '192x192' : '512x512',
    purpose: name.includes('maskable') ? 'maskable' : 'any',
  })),
})

/** Last of all: what it keeps is what was built. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle() {
    const paths = new Map(
      icons.map((name) => {
        const source = readFileSync(at(`src/fill/worker/icons/${name}`))
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
        const fileName = `assets/${name.replace('.png', `-${hash}.png`)}`
        this.emitFile({ type: 'asset', fileName, source })
        return [name, `/f/${fileName}`]
      }),
    )
    const source = JSON.stringify(manifestOf((name) => paths.get(name as never) ?? ''))
    this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source })
  },
  async writeBundle({ dir = '' }, bundle) {
    const own = (names: readonly string[]) =>
      names.filter((name) => name.startsWith('assets/')).map((name) => `/f/${name}`)
    const all = own(Object.keys(bundle)).sort()
    const page = bundle['fill.html']
    const version = createHash('sha256')
      .update(all.join('\n'))
      .update(page?.type === 'asset' ? page.source : '')
      .digest('hex')
      .slice(0, 12)
    await build({
      configFile: false,
      root: at('.'),
      publicDir: false,
      logLevel: 'warn',
      define: { __BUILD__: JSON.stringify({ version, core: own(coreOf(bundle)).sort(), all }) },
      resolve: { alias: { '@': at('src') } },
      build: {
        outDir: dir,
        emptyOutDir: false,
        target: 'es2022',
        modulePreload: false,
        reportCompressedSize: false,
        rolldownOptions: {
          input: at('src/fill/worker/sw.ts'),
          output: { format: 'iife', entryFileNames: 'sw.js' },
        },
      },
    })
  },
})
