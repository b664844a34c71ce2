// What ODK Collect and its kin read from a QR code: settings as JSON, compressed, as text. No password is in it: a picture is
// photographed, printed and sent on.

export interface Phone {
  readonly serverUrl: string
  /** Without one nobody signs in. */
  readonly username?: string
  /** What the phone calls it. */
  readonly name: string
}

export const phoneSettings = ({ serverUrl, username, name }: Phone) => ({
  general: {
    server_url: serverUrl,
    ...(username !== undefined && { username }),
    form_update_mode: 'match_exactly',
    autosend: 'wifi_and_cellular',
  },
  admin: {},
  project: { name },
})

/** zlib, then base64: what phones expect. */
export const packed = async (settings: object): Promise<string> => {
  const squeezed = new Blob([JSON.stringify(settings)]).stream().pipeThrough(new CompressionStream('deflate'))
  const bytes = new Uint8Array(await new Response(squeezed).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
}

/** The dark fields of a code, as one path of a picture whose unit is a field. */
export const pathOf = (fields: readonly (readonly boolean[])[]): string =>
  fields.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
