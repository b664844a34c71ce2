import { translation } from '../catalogue'
import type en from '../en/editor-merge'

export default translation<typeof en>({
  title: 'Alguém foi mais rápido',
  overtaken: 'O formulário foi guardado por outra pessoa desde que o abriu.',
  overtakenAt: 'Foi guardado ou publicado em {at}, depois de o ter aberto.',
  overtakenBy: '{who} guardou-o em {at}, depois de o ter aberto.',
  noRows: 'O que lá está agora veio como XForm e não tem linhas para juntar.',
  theirChanges: { one: '{n} linha mudou lá', many: '{n} linhas mudaram lá', other: '{n} linhas mudaram lá' },
  'change-added': 'nova',
  'change-changed': 'mudada',
  'change-removed': 'removida',
  noConflicts: 'As suas mudanças e as da outra pessoa encaixam.',
  conflicts: {
    one: '{n} lugar que ambos mudaram',
    many: '{n} lugares que ambos mudaram',
    other: '{n} lugares que ambos mudaram',
  },
  conflictsAbout: 'Escolha qual fica. O resto é junto por si.',
  conflictCell: '{sheet}, {row}: {column}',
  conflictRow: '{sheet}: «{row}» foi removida por um e mudada pelo outro',
  conflictColumn: '{sheet}: a coluna {column} foi removida por um e mudada pelo outro',
  conflictHeader: '{sheet}: a coluna {column} recebeu dois nomes',
  conflictSheet: 'A folha {sheet} foi removida por um e mudada pelo outro',
  conflictOrder: '{sheet}: ambos mudaram a ordem. Fica a sua.',
  mine: 'O seu:',
  theirs: 'O da outra pessoa:',
  empty: '(vazio)',
  keepIt: 'manter',
  letItGo: 'remover',
  later: 'Mais tarde',
  merge: 'Juntar os dois',
})
