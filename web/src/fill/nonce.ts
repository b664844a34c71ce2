// Styles that a script makes carry the nonce of the page: the renderer of forms makes some three hundred, and knows of no nonce.
// Imported before everything else.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

const make = document.createElement.bind(document)

if (nonce !== '') {
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const made = make(name, options)
    if (made instanceof HTMLStyleElement) made.nonce = nonce
    return made
  }) as Document['createElement']
}
