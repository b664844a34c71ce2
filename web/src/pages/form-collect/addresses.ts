// Where phones and programs reach a form, and what they reach it over.

export interface Addresses {
  /** Everybody says who they are: records have their sender. */
  readonly signedIn: string
  /** Whoever knows it, where the form takes records without an account. */
  readonly open: string
  /** All forms of the project. */
  readonly project: string
  readonly script: string
}

export const addressesOf = (origin: string, formId: number, projectId: number): Addresses => ({
  signedIn: `${origin}/me/forms/${formId}`,
  open: `${origin}/forms/${formId}`,
  project: `${origin}/me/projects/${projectId}`,
  script: `${origin}/api/v1/submissions`,
})

/** `here`: only this computer reaches it. `plain`: everything on the way can be read. */
export type Reach = 'here' | 'plain' | 'safe'

export const reachOf = (origin: string): Reach => {
  const { protocol, hostname } = new URL(origin)
  if (/^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)) return 'here'
  return protocol === 'https:' ? 'safe' : 'plain'
}
