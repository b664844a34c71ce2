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

/** Degrees between lines: so many that a screen has a few. */
const stepOf = (span: number): number =>
  [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001].find((step) => span / step >= 5) ?? 0.001

/** Meridians and parallels: without pictures of the ground, and far from any border, one would not see that a map moves. */
const addGrid = (map: L.Map): (() => void) => {
  const pane = map.createPane('grid')
  pane.style.zIndex = '160'
  pane.style.pointerEvents = 'none'
  const renderer = L.canvas({ pane: 'grid', padding: 0.3 })
  const layer = L.layerGroup().addTo(map)
  const draw = () => {
    layer.clearLayers()
    const bounds = map.getBounds().pad(0.3)
    const [west, east] = [Math.max(bounds.getWest(), -540), Math.min(bounds.getEast(), 540)]
    const [south, north] = [Math.max(bounds.getSouth(), -85), Math.min(bounds.getNorth(), 85)]
    const step = stepOf(Math.max(east - west, north - south))
    const style = { color: colour('--line'), weight: 1, interactive: false, renderer }
    for (let at = Math.ceil(west / step) * step; at <= east; at += step) {
      layer.addLayer(L.polyline([L.latLng(south, at), L.latLng(north, at)], style))
    }
    for (let at = Math.ceil(south / step) * step; at <= north; at += step) {
      layer.addLayer(L.polyline([L.latLng(at, west), L.latLng(at, east)], style))
    }
  }
  map.on('moveend', draw)
  draw()
  return draw
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)

const addTiles = async (map: L.Map): Promise<void> => {
  const tiles = await getMapOptions().catch(() => null)
  if (tiles === null) return
  L.tileLayer(tiles.url, { maxZoom: 19, referrerPolicy: 'origin' }).addTo(map)
  // Whoever runs the server wrote it: words, no markup.
  if (tiles.attribution !== '') map.attributionControl?.addAttribution(escaped(tiles.attribution))
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
  L.control.scale({ position: document.documentElement.dir === 'rtl' ? 'bottomleft' : 'bottomright' }).addTo(map)
  const repaintLand = addOutlines(map)
  const repaintGrid = addGrid(map)
  void addTiles(map)
  const painters = new Set<() => void>([repaintLand, repaintGrid])
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
