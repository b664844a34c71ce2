import { translation } from '../catalogue'
import type en from '../en/parts'

export default translation<typeof en>({
  close: 'Fechar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  optional: 'opcional',
  loading: 'A carregar',
  tryAgain: 'Tentar de novo',
  toStart: 'Voltar ao início',
  nothingFound: 'Nada encontrado',
  showPassword: 'Mostrar a palavra-passe',
  hidePassword: 'Esconder a palavra-passe',
  typeToConfirm: 'Escreva “{word}” para confirmar',
  fileOfSize: '{name}, {size}',
  missingTitle: 'Não há nada aqui',
  forbiddenTitle: 'Isto não está aberto para si',
  offlineTitle: 'Sem ligação',
  brokenTitle: 'Não funcionou',
  partsTitle: 'Não foi possível carregar uma parte desta página',
  seenByAll: 'Todos podem ver isto',
  seenByShared: 'Só aqueles com quem é partilhado',
  seenByYou: 'Só você',
  seenByPeople: { one: 'Você e mais {n}', many: 'Você e mais {n}', other: 'Você e mais {n}' },
})
