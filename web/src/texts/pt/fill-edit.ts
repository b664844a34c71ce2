import { translation } from '../catalogue'
import type en from '../en/fill-edit'

export default translation<typeof en>({
  title: 'Alterar: {form}',
  about: 'Está a alterar um registo guardado.',
  conflict: 'Outra pessoa alterou este registo entretanto',
  conflictAbout: 'Nada do que escreveu se perde. Escolha o que conta em cada pergunta.',
  conflictBy: 'Foi {name}. Nada do que escreveu se perde. Escolha o que conta em cada pergunta.',
  gone: 'Este registo já não existe',
  goneAbout: 'Alguém o apagou entretanto, ou já não o pode ver. Nada do que escreveu se perdeu.',
  storeAnew: 'Guardar como novo registo',
  same: 'Ambos têm as mesmas respostas.',
  'side-mine': 'A sua',
  'side-theirs': 'Como está guardada',
  empty: 'Sem resposta',
  noEntry: 'Esta entrada não existe',
  merge: 'Enviar com estas escolhas',
  keepBoth: 'Manter ambos',
  drop: 'Descartar o meu',
  goOn: 'Continuar a preencher primeiro',
  ways: '«Manter ambos» guarda o seu como um registo à parte. O que é descartado pode ser recuperado durante algum tempo na caixa de saída.',
  notLoaded: 'Não foi possível carregar o registo guardado. A sua alteração é mantida.',
  notSent: 'Não foi possível enviar. A sua alteração é mantida; tente de novo.',
  tryAgain: 'Tentar de novo',
})
