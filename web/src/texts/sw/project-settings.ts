import { translation } from '../catalogue'
import type en from '../en/project-settings'

export default translation<typeof en>({
  about: 'Kuhusu mradi huu',
  taken: 'Tayari kuna mradi wenye jina hili. Chagua jingine.',
  name: 'Jina',
  description: 'Maelezo',
  location: 'Mahali',
  locationHint: 'Data zinatoka wapi: mji, mkoa, nchi.',
  category: 'Mada',
  categoryHint: 'Kwa mfano afya, maji, elimu.',
  save: 'Hifadhi',
  saved: 'Imehifadhiwa.',
  visibility: 'Nani anaweza kuuona',
  private: 'Walioshirikishwa tu',
  privateAbout: 'Hakuna mwingine anayejua kwamba upo.',
  public: 'Kila mtu',
  publicAbout:
    'Hata bila akaunti watu wanaona jina, maelezo na fomu zake za umma. Rekodi zinabaki zimefungwa isipokuwa fomu izifungue.',
  nowPublic: 'Mradi sasa ni wa umma.',
  nowPrivate: 'Mradi sasa umefungwa.',
  labels: 'Lebo',
  labelsAbout: 'Maneno ya kutafuta na kupanga miradi.',
  newLabel: 'Lebo mpya',
  add: 'Ongeza',
  removeLabel: 'Ondoa lebo {label}',
  labelRemoved: 'Lebo “{label}” imeondolewa.',
  noLabels: 'Bado hakuna lebo.',
  transfer: 'Ukabidhi kwa akaunti nyingine',
  transferAbout:
    'Mmiliki mpya anapata yote: fomu, rekodi, na nani anaweza kuziona. Unabaki na ufikiaji akikushirikisha tu.',
  newOwner: 'Jina la mtumiaji la mtu au shirika',
  transferAction: 'Kabidhi',
  transferTitle: 'Kabidhi “{name}” kwa {owner}?',
  transferred: '“{name}” sasa ni wa {owner}.',
  delete: 'Futa mradi huu',
  deleteAbout: {
    one: 'Fomu yake na rekodi zote zinaondoka nao. Haiwezi kutenduliwa.',
    other: 'Fomu zake {n} na rekodi zote zinaondoka nao. Haiwezi kutenduliwa.',
  },
  deleteTitle: 'Futa “{name}”?',
  deleted: '“{name}” umefutwa.',
})
