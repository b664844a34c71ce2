import { type Code, quietSquares } from './code.js'

/** Dark squares that touch are one stroke, which begins where the former one ended: a picture of a sixth of the size, without seams
 * between squares. */
const strokesOf = ({ size, isDark }: Code, row: number): string => {
  let path = ''
  let light = 0
  for (let column = 0; column < size; ) {
    const start = column
    const isStroke = isDark(row, column)
    while (column < size && isDark(row, column) === isStroke) column += 1
    const length = column - start
    if (isStroke)
      path += `${path === '' ? `M${start + quietSquares} ${row + quietSquares}.5` : `m${light} 0`}h${length}`
    else light = length
  }
  return path
}

/** Black on white in every look: readers need the contrast. It has no size of its own and fills its place. */
export const svgOf = (code: Code): string => {
  const side = code.size + 2 * quietSquares
  const path = Array.from({ length: code.size }, (_, row) => strokesOf(code, row)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${path}"/></svg>`
}
