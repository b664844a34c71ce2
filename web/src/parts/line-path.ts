interface Size {
  readonly width: number
  readonly height: number
}

/** A path through the values, the least of them at zero or below it. A line without counts lies on the ground. */
export const linePath = (values: readonly number[], { width, height }: Size): string => {
  const points = values.length === 0 ? [0, 0] : values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values
  const top = points.reduce((most, value) => Math.max(most, value), 0)
  const bottom = points.reduce((least, value) => Math.min(least, value), 0)
  const step = width / (points.length - 1)
  const round = (value: number) => Math.round(value * 10) / 10
  const at = (value: number) => (top === bottom ? height : height - ((value - bottom) / (top - bottom)) * (height - 2))
  return points.map((value, index) => `${index === 0 ? 'M' : 'L'}${round(index * step)} ${round(at(value))}`).join('')
}
