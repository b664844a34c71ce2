// The few words of a printed sheet, in the languages of the web application.
export const sheetWords = {
  en: {
    scan: 'Scan in ODK Collect: “Configure with QR code”.',
    keys: 'Keys',
    none: 'No key works at present.',
    until: 'until',
    direction: 'ltr',
  },
  fr: {
    scan: 'À scanner dans ODK Collect : « Configurer avec un code QR ».',
    keys: 'Clés',
    none: 'Aucune clé n’est valable en ce moment.',
    until: 'jusqu’au',
    direction: 'ltr',
  },
  es: {
    scan: 'Escanear en ODK Collect: «Configurar con código QR».',
    keys: 'Claves',
    none: 'Ninguna clave vale por el momento.',
    until: 'hasta el',
    direction: 'ltr',
  },
  pt: {
    scan: 'Ler no ODK Collect: “Configurar com código QR”.',
    keys: 'Chaves',
    none: 'Nenhuma chave vale de momento.',
    until: 'até',
    direction: 'ltr',
  },
  sw: {
    scan: 'Changanua katika ODK Collect: “Configure with QR code”.',
    keys: 'Funguo',
    none: 'Hakuna ufunguo unaofanya kazi sasa.',
    until: 'hadi',
    direction: 'ltr',
  },
  ar: {
    scan: 'امسح في ODK Collect: «Configure with QR code».',
    keys: 'المفاتيح',
    none: 'لا يعمل أي مفتاح الآن.',
    until: 'حتى',
    direction: 'rtl',
  },
} as const

export type SheetLanguage = keyof typeof sheetWords

export const sheetLanguages = Object.keys(sheetWords) as SheetLanguage[]
