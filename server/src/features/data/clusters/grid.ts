// The grid of clusters: every tile of a web map (256 pixels, twice as many each way with each zoom) has four by four cells, so a
// cell is 64 pixels wide wherever the map is looked at, and stays the same one when the map is moved.
import type { Box } from '../selection/index.js'

export const mostZoom = 24

const cellsPerTile = 4

/** Beyond it a web map shows nothing: its projection ends where the world is a square. */
const mercatorEdge = 85.05112877980659

/** How many cells the world has each way. */
export const cellsAcross = (zoom: number): number => cellsPerTile * 2 ** zoom

const columnOf = (longitude: number, cells: number): number => Math.floor(((longitude + 180) / 360) * cells)

const rowOf = (latitude: number, cells: number): number => {
  const clipped = Math.min(Math.max(latitude, -mercatorEdge), mercatorEdge)
  const angle = (clipped * Math.PI) / 180
  return Math.floor((0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI)) * cells)
}

/** How many cells a box touches, at most. */
export const cellsIn = ({ west, south, east, north }: Box, zoom: number): number => {
  const cells = cellsAcross(zoom)
  const across = columnOf(east, cells) - columnOf(west, cells) + (west <= east ? 1 : cells + 1)
  const down = rowOf(south, cells) - rowOf(north, cells) + 1
  return Math.min(across, cells) * Math.min(down, cells)
}
