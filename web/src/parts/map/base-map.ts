// A map without anything from elsewhere: outlines of countries that come with the application, finer ones when it is near; pictures
// of the ground only where the server names a source.
import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import './map.css'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { watch } from 'vue'
import { getMapOptions } from '@/api/map'
import { isDark } from '@/look/look'

type Atlas = Topology<{ countries: GeometryCollection }>

const coarse = () => import('world-atlas/countries-110m.json')
const fine = () => import('world-atlas/countries-50m.json')
/** From here on the coarse ones look like it. */
const fineZoom = 5

export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const land = () => ({ fillColor: colour('--card'), fillOpacity: 1, color: colour('--field'), weight: 0.7 })

/** Natural Earth lays the countries round the globe; the atlas is one of each. */
const outlinesOf = (atlas: unknown, renderer: L.Renderer): L.GeoJSON => {
  const topology = atlas as Atlas
  return L.geoJSON(feature(topology, topology.objects.countries), {
    interactive: false,
    style: land,
    ...({ renderer } as object),
  })
}

export interface MapNames {
  readonly zoomIn: string
  readonly zoomOut: string
  /** Whose borders these are. */
  readonly borders: string
}

export interface BaseMap {
  readonly map: L.Map
  /** Called when the look changes: what is drawn has no colours of its own accord. */
  readonly painters: Set<() => void>
  remove(): void
}

const addOutlines = (map: L.Map): (() => void) => {
  const pane = map.createPane('outlines')
  pane.style.zIndex = '150'
  pane.style.pointerEvents = 'none'
  const renderer = L.canvas({ pane: 'outlines', padding: 0.3 })
  let shown: L.GeoJSON | undefined
  let isFine = false
  let isGone = false
  const show = async (isFineWanted: boolean) => {
    const atlas = await (isFineWanted ? fine() : coarse()).catch(() => undefined)
    if (atlas === undefined || isGone || (isFine && !isFineWanted)) return
    isFine = isFineWanted
    shown?.remove()
    shown = outlinesOf(atlas.default, renderer).addTo(map)
  }
  void show(false)
  const look = () => {
    if (!isFine && map.getZoom() >= fineZoom) void show(true)
  }
  map.on('zoomend', look)
  look()
  map.once('unload', () => {
    isGone = true
  })
  return () => shown?.setStyle(land())
}

const addTiles = async (map: L.Map): Promise<void> => {
  const tiles = await getMapOptions().catch(() => null)
  if (tiles === null) return
  L.tileLayer(tiles.url, { maxZoom: 19, referrerPolicy: 'origin' }).addTo(map)
  // Whoever runs the server wrote it: words, no markup.
  const words = document.createElement('span')
  words.textContent = tiles.attribution
  if (tiles.attribution !== '') map.attributionControl?.addAttribution(words.innerHTML)
}

export const makeMap = (element: HTMLElement, options: L.MapOptions, names: MapNames): BaseMap => {
  const map = L.map(element, {
    preferCanvas: true,
    zoomControl: false,
    minZoom: 1,
    maxZoom: 19,
    worldCopyJump: true,
    zoomAnimation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    ...options,
  })
  map.attributionControl?.setPrefix(false).addAttribution(names.borders)
  L.control.zoom({ zoomInTitle: names.zoomIn, zoomOutTitle: names.zoomOut }).addTo(map)
  if (map.getZoom() === undefined) map.setView([10, 15], 2)
  const repaintLand = addOutlines(map)
  void addTiles(map)
  const painters = new Set<() => void>([repaintLand])
  const leave = watch(
    isDark,
    () => {
      for (const paint of painters) paint()
    },
    { flush: 'post' },
  )
  const resize = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  resize.observe(element)
  return {
    map,
    painters,
    remove: () => {
      leave()
      resize.disconnect()
      map.remove()
    },
  }
}
