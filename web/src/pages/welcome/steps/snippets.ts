/** The first call in each language: it creates a player. @param origin the service's address @param key the app's key, or what stands for it */
export const snippets = {
  curl: (origin: string, key: string) =>
    `curl -X POST "${origin}/api/v1/apps/players" \\
  -H "x-app-api-key: ${key}" \\
  -H "content-type: application/json" \\
  -d '{"displayName": "mossy_otter"}'`,
  javascript: (origin: string, key: string) =>
    `import { createCairn } from '@cairn/sdk'

const cairn = createCairn({
  baseUrl: '${origin}',
  appKey: '${key}',
})
await cairn.players.create({ displayName: 'mossy_otter' })`,
  // UnityWebRequest.Post with a content type is there from Unity 2022.2 on.
  unity: (origin: string, key: string) =>
    `using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class FirstCall : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Post(
            "${origin}/api/v1/apps/players",
            "{\\"displayName\\": \\"mossy_otter\\"}",
            "application/json");
        request.SetRequestHeader("x-app-api-key", "${key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`,
}
