// What phones reach the server over.

/** `here`: only this computer reaches it. `plain`: everything on the way can be read. */
export type Reach = 'here' | 'plain' | 'safe'

export const reachOf = (origin: string): Reach => {
  const { protocol, hostname } = new URL(origin)
  if (/^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)) return 'here'
  return protocol === 'https:' ? 'safe' : 'plain'
}
