// What a code tells a phone: where to ask for forms and send to, and how the app behaves there.

export interface CollectSettings {
  readonly general: Readonly<Record<string, string | boolean>>
  readonly admin: Readonly<Record<string, boolean>>
  readonly project: { readonly name: string; readonly icon: string; readonly color: string }
}

export interface SettingsSubject {
  /** Of the key, without a slash at its end. */
  readonly address: string
  /** Shown on the phone as the name of the project. */
  readonly name: string
  /** Whose phone it is; forms with a question for the username have it as the answer. */
  readonly keyName: string
  /** A test form: told apart from the real project at a glance. */
  readonly isTest: boolean
}

export interface ChosenSettings {
  /** Managed: the phone has just the forms of the list and sends on its own. Plain: the person with the phone decides. */
  readonly mode: 'managed' | 'plain'
  readonly general: Readonly<Record<string, string | boolean>>
  readonly admin: Readonly<Record<string, boolean>>
}

const color = '#2e6b4f'

/** The first character as a reader sees it: an emoji of several code points is one. */
const firstCharacter = (text: string): string => {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.trim().slice(0, 64))
  return first?.segment.toLocaleUpperCase('en') ?? ''
}

/** Before what somebody chose, which wins. The phone's address is not theirs to choose. */
export const settingsFor = (subject: SettingsSubject, chosen: ChosenSettings): CollectSettings => {
  const name = subject.isTest ? `[test] ${subject.name}` : subject.name
  const managed =
    chosen.mode === 'managed'
      ? { form_update_mode: 'match_exactly', autosend: 'wifi_and_cellular', metadata_username: subject.keyName }
      : {}
  return {
    general: { server_url: subject.address, ...managed, ...chosen.general },
    admin: chosen.admin,
    project: { name, icon: subject.isTest ? '📝' : firstCharacter(name), color },
  }
}
