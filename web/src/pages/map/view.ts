// Where the map looks, as the address has it: latitude, longitude and zoom.
import type { Written } from '@/base/address-state'

export interface View {
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

export const asView: Written<View | undefined> = {
  read: (text) => {
    const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = text.split(',').map(Number)
    const isView = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 3600 && zoom >= 0 && zoom <= 24
    return isView ? { latitude, longitude, zoom } : undefined
  },
  write: (view) =>
    view === undefined
      ? ''
      : `${view.latitude.toFixed(5)},${view.longitude.toFixed(5)},${Math.round(view.zoom * 100) / 100}`,
}

/** The ring of the area that is the filter, to be drawn: of a box its corners. */
export const ringOf = (bbox: string | undefined, polygon: string | undefined): [number, number][] => {
  const isPair = (value: unknown): value is [number, number] =>
    Array.isArray(value) && value.length === 2 && value.every((one) => Number.isFinite(one))
  if (polygon !== undefined) {
    try {
      const ring: unknown = JSON.parse(polygon)
      return Array.isArray(ring) && ring.every(isPair) ? ring : []
    } catch {
      return []
    }
  }
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = (bbox ?? '')
    .split(',')
    .map(Number)
  if (![west, south, east, north].every(Number.isFinite) || bbox === undefined) return []
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}
