import { build } from 'esbuild';
import { writeFileSync, mkdirSync } from 'node:fs';
const plugins=[{name:'mark',setup(b){b.onResolve({filter:/^mark:/},({path})=>({path,namespace:'mark',sideEffects:true}));b.onLoad({filter:/.*/,namespace:'mark'},({path})=>({contents:'const q=()=>Math.round(process.cpuUsage().user/100+process.cpuUsage().system/100)/10;(globalThis.M??=[]).push(["'+path+'",q()])'}))}},{name:'en',setup(b){b.onLoad({filter:/zod\/v4\/locales\/index\.js$/},()=>({contents:"export { default as en } from './en.js';"}));
b.onResolve({filter:/^@modelcontextprotocol\/server\/_shims$/},({path})=>({path,namespace:'u'}));b.onLoad({filter:/.*/,namespace:'u'},()=>({contents:`export const {process}=globalThis;export class DefaultJsonSchemaValidator{getValidator(){return (data)=>({valid:true,data,errorMessage:undefined})}}`}))}}];
const common={bundle:true,format:'esm',platform:'node',target:'node24',minifySyntax:true,minifyWhitespace:true,plugins,jsx:'automatic',alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }};
async function go(name, entry, splitting){
  const r=await build({...common,stdin:{contents:entry,resolveDir:process.cwd()+'/src',loader:'ts',sourcefile:'src/zz.ts'},outdir:'/tmp/spike/'+name,entryNames:'main',splitting,write:false,outExtension:{'.js':'.mjs'},external:['@vscode/ripgrep','node:*',...(splitting?[]:['./late-parts.ts'])]});
  for(const f of r.outputFiles){mkdirSync(f.path.replace(/\/[^/]*$/,''),{recursive:true});let t=f.text;
  t=t.replaceAll(/(?<=^|[;}\n])import ?(?:([\w$]+)|(?:([\w$]+),)?(\{[^{}"]*\})|\*as ([\w$]+)) ?from"(node:[\w:/]+)"/g,(whole, only, first, names, all, path)=>{const module=`globalThis.process.getBuiltinModule("${path}")`;const one=only??all??first;const some=names===undefined?[]:[`${names.replaceAll(' as ',':')}=${one??module}`];return `var ${[...(one===undefined?[]:[`${one}=${module}`]),...some].join()}`;});
  writeFileSync(f.path,t)}
}
await go('sdk',`import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
serveStdio(() => { const s = new McpServer({name:'x',version:'1'},{capabilities:{tools:{listChanged:true}}}); s.registerTool('a',{description:'d',inputSchema:z.object({a:z.string()})},async()=>({content:[]})); return s; });
process.stdin.once('end',()=>process.exit(0));`,false);
await go('ours',`import { serveMcp } from './mcp/server.ts'; await serveMcp(process.env); process.exit(0);`,false);
await go('ours-split',`import { serveMcp } from './mcp/server.ts'; await serveMcp(process.env); process.exit(0);`,true);
const pre=`const q=()=>Math.round(process.cpuUsage().user/100+process.cpuUsage().system/100)/10;globalThis.M=globalThis.M??[['start',q()]];export const mark=(n)=>globalThis.M.push([n,q()]);`;
await go('marks',`import 'mark:0'; import 'zod'; import 'mark:zod'; import '@modelcontextprotocol/server'; import 'mark:sdk'; import '@modelcontextprotocol/server/stdio'; import 'mark:stdio'; import './model/failure.ts'; import 'mark:failure'; import './app/folders.ts'; import 'mark:folders'; import './mcp/job-request.ts'; import 'mark:request'; import './mcp/job-store.ts'; import 'mark:store'; import './agents/process/process-table.ts'; import 'mark:table'; import './mcp/tool-host.ts'; import 'mark:host'; import './mcp/plan-tools.ts'; import 'mark:plan'; import './mcp/critique-tools.ts'; import 'mark:crit'; import './mcp/history-tools.ts'; import 'mark:hist';
import { serveMcp } from './mcp/server.ts'; import 'mark:server'; globalThis.MM=(n)=>globalThis.M.push([n,Math.round(process.cpuUsage().user/100+process.cpuUsage().system/100)/10]); const w=process.stdout.write.bind(process.stdout); process.stdout.write=(...a)=>{globalThis.MM('answer'); console.error(globalThis.M.map(([n,t],i,l)=>n+' '+(i?(t-l[i-1][1]).toFixed(1):t)).join(' | ')); return w(...a)}; await serveMcp(process.env); process.exit(0);`,false);
