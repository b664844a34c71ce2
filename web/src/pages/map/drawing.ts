// What is drawn for a place that was found: a dot, a line, an area, or a disc with the number of those that are close together.
import L from 'leaflet'
import { colour } from '@/parts/map/base-map'
import type { FoundPlace } from '@/parts/map/clusters'
import type { Points } from '@/parts/map/points'
import type { Scale } from '@/parts/map/scale'
import { showNumber, showShortNumber } from '@/texts'

/** By how many: 30 to 54 pixels. */
const sizeOf = (count: number): number => Math.min(54, 26 + 4 * Math.log2(count))

/** The share of each category as a ring. */
const ringOf = (place: FoundPlace, colours: readonly string[]): string => {
  const counts = Object.entries(place.counts ?? {}).map(([category, count]) => [Number(category), count] as const)
  if (counts.length < 2) return colours[counts[0]?.[0] ?? 0] ?? colour('--accent')
  let from = 0
  const parts = counts
    .sort(([a], [b]) => a - b)
    .map(([category, count]) => {
      const to = from + count / place.count
      const part = `${colours[category] ?? colour('--field')} ${from}turn ${to}turn`
      from = to
      return part
    })
  return `conic-gradient(${parts.join(', ')})`
}

export const discOf = (place: FoundPlace, colours: readonly string[], name: string): L.Marker => {
  const size = sizeOf(place.count)
  const disc = document.createElement('div')
  disc.className = 'disc'
  disc.style.background = ringOf(place, colours)
  const inner = document.createElement('span')
  inner.textContent = place.count < 1000 ? showNumber(place.count) : showShortNumber(place.count)
  disc.append(inner)
  disc.title = name
  const icon = L.divIcon({ html: disc, className: 'disc-place', iconSize: [size, size] })
  return L.marker([place.latitude, place.longitude], { icon, keyboard: false })
}

export const shapeOf = (
  place: FoundPlace,
  points: Points,
  scale: Scale,
  isArea: boolean,
  isChosen: boolean,
): L.Path => {
  const at = place.at ?? -1
  const category = scale.categories[Math.max(0, scale.indexOf(points.values[at]))]
  const paint = category?.colour(colour) ?? colour('--accent')
  const shape = points.shapes[at]
  const edge = isChosen ? colour('--ink') : colour('--card')
  if (shape === undefined) {
    return L.circleMarker([place.latitude, place.longitude], {
      radius: isChosen ? 9 : 6.5,
      color: edge,
      weight: isChosen ? 3 : 1.5,
      fillColor: paint,
      fillOpacity: 0.95,
    })
  }
  const line = shape.map(({ latitude, longitude }) => L.latLng(latitude, longitude))
  const style = { color: isChosen ? edge : paint, weight: isChosen ? 5 : 3 }
  return isArea ? L.polygon(line, { ...style, fillColor: paint, fillOpacity: 0.3 }) : L.polyline(line, style)
}
