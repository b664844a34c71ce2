// The page's side of the worker that puts places together.
import type { Points } from './points'

export interface FoundPlace {
  readonly longitude: number
  readonly latitude: number
  readonly count: number
  /** Of a single place: which of the points it is, or the record that it belongs to. */
  readonly at?: number
  readonly id?: number
  /** How many of each category. */
  readonly counts?: Readonly<Record<number, number>>
  /** Of those that the server put together, how far they reach: west, south, east, north. */
  readonly bounds?: readonly number[]
  /** From here on it falls apart. */
  readonly zoomTo?: number
}

export type ToWorker =
  | { kind: 'load'; longitudes: Float64Array; latitudes: Float64Array; categories: Uint8Array }
  | { kind: 'find'; request: number; box: readonly [number, number, number, number]; zoom: number }

export const openClusters = () => {
  const worker = new Worker(new URL('./clusters.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (places: FoundPlace[]) => void>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<{ request: number; places: FoundPlace[] }>) => {
    waiting.get(data.request)?.(data.places)
    waiting.delete(data.request)
  })
  const tell = (message: ToWorker, moved: Transferable[] = []) => worker.postMessage(message, moved)
  return {
    load: (points: Points, categoryOf: (value: string | undefined) => number) => {
      const longitudes = Float64Array.from(points.longitudes)
      const latitudes = Float64Array.from(points.latitudes)
      const categories = Uint8Array.from(points.values, (value) => Math.max(0, categoryOf(value)))
      tell({ kind: 'load', longitudes, latitudes, categories }, [
        longitudes.buffer,
        latitudes.buffer,
        categories.buffer,
      ])
    },
    find: (box: readonly [number, number, number, number], zoom: number): Promise<FoundPlace[]> => {
      const request = ++last
      return new Promise((resolve) => {
        waiting.set(request, resolve)
        tell({ kind: 'find', request, box, zoom })
      })
    },
    close: () => worker.terminate(),
  }
}
