// A server of the Size Chart Service API on limiter libraries for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/didip/tollbooth/v7"
	"github.com/go-chi/httprate"
	"github.com/juju/ratelimit"
	"github.com/sethvargo/go-limiter/httplimit"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"golang.org/x/time/rate"
)

const window = time.Minute

var limits = map[string]int{"read": 100, "write": 30}

// A maker puts a limiter of one kind before a handler; the key is in X-Fleet-Key.
type maker func(kind string) func(http.Handler) http.Handler

var makers = map[string]maker{
	"go-httprate": func(kind string) func(http.Handler) http.Handler {
		return httprate.Limit(limits[kind], window, httprate.WithKeyFuncs(byKey))
	},
	"go-httprate-endpoint": func(kind string) func(http.Handler) http.Handler {
		return httprate.Limit(limits[kind], window, httprate.WithKeyFuncs(byKey, httprate.KeyByEndpoint))
	},
	"go-limiter": func(kind string) func(http.Handler) http.Handler {
		store := must(memorystore.New(&memorystore.Config{Tokens: uint64(limits[kind]), Interval: window}))
		return deciding(kind, func(key string) (bool, int, time.Time) {
			_, remaining, reset, allowed, err := store.Take(context.Background(), key)
			if err != nil {
				panic(err)
			}
			return allowed, int(remaining), time.Unix(0, int64(reset))
		})
	},
	"go-limiter-headers": func(kind string) func(http.Handler) http.Handler {
		store := must(memorystore.New(&memorystore.Config{Tokens: uint64(limits[kind]), Interval: window}))
		return must(httplimit.NewMiddleware(store, byKey)).Handle
	},
	"go-juju-quantum": func(kind string) func(http.Handler) http.Handler {
		type bucket struct {
			sync.Mutex
			*ratelimit.Bucket
			start time.Time
		}
		var buckets sync.Map
		limit := int64(limits[kind])
		return deciding(kind, func(key string) (bool, int, time.Time) {
			fresh := &bucket{Bucket: ratelimit.NewBucketWithQuantum(window, limit, limit), start: time.Now()}
			made, _ := buckets.LoadOrStore(key, fresh)
			kept := made.(*bucket)
			kept.Lock()
			defer kept.Unlock()
			allowed := kept.TakeAvailable(1) == 1
			ticks := time.Since(kept.start) / window
			return allowed, int(kept.Available()), kept.start.Add((ticks + 1) * window)
		})
	},
	"go-throttled": func(kind string) func(http.Handler) http.Handler {
		quota := throttled.RateQuota{MaxRate: throttled.PerMin(limits[kind]), MaxBurst: limits[kind] - 1}
		counting := must(throttled.NewGCRARateLimiterCtx(must(memstore.NewCtx(0)), quota))
		// A burst on one key changes its value more often between a look and a change than the default allows.
		counting.SetMaxCASAttemptsLimit(1000)
		return deciding(kind, func(key string) (bool, int, time.Time) {
			limited, state, err := counting.RateLimitCtx(context.Background(), key, 1)
			if err != nil {
				panic(err)
			}
			return !limited, state.Remaining, time.Now().Add(state.ResetAfter)
		})
	},
	"go-tollbooth": func(kind string) func(http.Handler) http.Handler {
		perSecond := float64(limits[kind]) / window.Seconds()
		counting := tollbooth.NewLimiter(perSecond, nil)
		return deciding(kind, func(key string) (bool, int, time.Time) {
			refusal, remaining := tollbooth.LimitByKeysAndReturn(counting, []string{key})
			return refusal == nil, remaining, time.Now().Add(time.Duration(float64(time.Second) / perSecond))
		})
	},
	"go-ulule-limiter": func(kind string) func(http.Handler) http.Handler {
		counting := limiter.New(memory.NewStore(), limiter.Rate{Period: window, Limit: int64(limits[kind])})
		return deciding(kind, func(key string) (bool, int, time.Time) {
			state, err := counting.Get(context.Background(), key)
			if err != nil {
				panic(err)
			}
			return !state.Reached, int(state.Remaining), time.Unix(state.Reset, 0)
		})
	},
	"go-x-time-rate": func(kind string) func(http.Handler) http.Handler {
		var buckets sync.Map
		limit := limits[kind]
		return deciding(kind, func(key string) (bool, int, time.Time) {
			made, _ := buckets.LoadOrStore(key, rate.NewLimiter(rate.Every(window/time.Duration(limit)), limit))
			bucket := made.(*rate.Limiter)
			allowed := bucket.Allow()
			tokens := bucket.Tokens()
			full := time.Duration((float64(limit) - tokens) / float64(limit) * float64(window))
			return allowed, int(max(0, tokens)), time.Now().Add(full)
		})
	},
}

func byKey(r *http.Request) (string, error) {
	return r.Header.Get("X-Fleet-Key"), nil
}

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

func deciding(kind string, decide func(key string) (bool, int, time.Time)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			allowed, remaining, reset := decide(r.Header.Get("X-Fleet-Key"))
			tell(w, kind, remaining, reset)
			if !allowed {
				answer(w, http.StatusTooManyRequests)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func tell(w http.ResponseWriter, kind string, remaining int, reset time.Time) {
	w.Header().Set("X-RateLimit-Limit", strconv.Itoa(limits[kind]))
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(reset.Add(time.Second-time.Nanosecond).Unix(), 10))
}

func answer(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"status":%d}`, status)
}

func main() {
	restricted := os.Getenv("RESTRICTED")
	accepted := map[string]bool{restricted: restricted != ""}
	for _, key := range strings.Split(os.Getenv("KEYS"), ",") {
		accepted[key] = key != ""
	}
	make := makers[os.Getenv("LIMITER")]
	if make == nil {
		panic("LIMITER names no limiter of this server")
	}
	operation := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Header.Get("X-Fleet-Key") == restricted {
			answer(w, http.StatusForbidden)
			return
		}
		answer(w, operate(r))
	})
	handlers := map[string]http.Handler{}
	for kind := range limits {
		handlers[kind] = make(kind)(operation)
	}
	root := func(w http.ResponseWriter, r *http.Request) {
		kind := "write"
		if r.Method == http.MethodGet {
			kind = "read"
		}
		key := r.Header.Get("X-API-Key")
		if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && key == "" {
			key = bearer
		}
		if !accepted[key] {
			tell(w, kind, limits[kind], time.Now().Add(window))
			answer(w, http.StatusUnauthorized)
			return
		}
		r.Header.Set("X-Fleet-Key", key)
		handlers[kind].ServeHTTP(w, r)
	}
	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(root)); err != nil {
		panic(err)
	}
}

var positive = regexp.MustCompile(`^[1-9]\d*$`)

// operate gives the status of an operation that is allowed.
func operate(r *http.Request) int {
	path, below := strings.CutPrefix(r.URL.Path, "/api/v1")
	if !below {
		return http.StatusNotFound
	}
	switch r.Method + " " + path {
	case "PUT /service", "PUT /categories/1", "POST /labels":
		var body struct{ Name *string }
		if json.NewDecoder(r.Body).Decode(&body) != nil || body.Name == nil {
			return http.StatusBadRequest
		}
		return http.StatusOK
	case "GET /categories":
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil || (query.Has("page") && !positive.MatchString(query.Get("page"))) {
			return http.StatusBadRequest
		}
		return http.StatusOK
	case "GET /service", "GET /labels/1":
		return http.StatusOK
	case "GET /service/failure":
		return http.StatusInternalServerError
	}
	return http.StatusNotFound
}
